import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImageFormat } from "../../kit/image-format.ts";
import { layerGraph, type Recipe, rawFile, rawInput } from "../layer-graph.ts";
import type { Layer } from "../scenes/stage.ts";
import { composeScene } from "../video/compose.ts";
import { type Reference, readStill } from "../video/read-media.ts";
import { runFfmpeg, type Studio } from "../video/run-ffmpeg.ts";
import { noMedia } from "../video/spec.ts";

/** Everything an image depends on: the same spec gives the same image. */
export interface ImageSpec {
  prompt: string;
  width: number;
  height: number;
  seed: number;
  format: ImageFormat;
  /** Shown small; the first is also the ground of the image, which then is an edit. */
  references: readonly Reference[];
}

const encoders: Record<ImageFormat, string[]> = {
  png: ["-c:v", "png", "-pred", "sub", "-compression_level", "2", "-f", "image2", "-update", "1"],
  jpeg: ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", "-f", "image2", "-update", "1"],
  webp: ["-c:v", "libwebp", "-quality", "85", "-compression_level", "2", "-f", "webp"],
};

/** Composed no larger than this and upscaled once: 4k costs little more. */
const canvasSideMax = 1_920;
const draftSideMax = 320;

/** Renders an image and moves it to `path` when it is complete. */
export async function renderImage(studio: Studio, spec: ImageSpec, path: string): Promise<void> {
  const folder = await mkdtemp(join(studio.workDir, "image-"));
  try {
    const { isDraft } = studio;
    const sideMax = isDraft ? draftSideMax : canvasSideMax;
    const scale = Math.min(1, sideMax / Math.max(spec.width, spec.height));
    const [width, height] = [Math.round(spec.width * scale), Math.round(spec.height * scale)];
    const thumbs = spec.references.map(({ thumb }) => thumb);
    const [first] = spec.references;
    const ground =
      first && (await readStill({ studio, folder }, "image", first.bytes, { width, height }));
    const scene = { prompt: spec.prompt, width, height, seconds: 0, audio: false, seed: spec.seed };
    const layers = composeScene(scene, { ...noMedia, thumbs, ...(ground && { ground }) });
    const { files, args } = writeImageRecipe(spec, layers, "image", isDraft);
    for (const file of files) await writeFile(join(folder, file.name), file.bytes);
    await runFfmpeg(studio, folder, args);
    await rename(join(folder, "image"), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The lines of a draft repeat: they are scaled and compressed in the fastest way. */
function writeImageRecipe(
  { width, height, format }: ImageSpec,
  layers: readonly Layer[],
  outputName: string,
  isDraft: boolean,
): Recipe {
  const upscale = `scale=${width}:${height}:flags=${isDraft ? "neighbor" : "bicubic"}`;
  const result = `[v${layers.length - 1}]${upscale},format=rgb24[image]`;
  const args = [
    "-hide_banner",
    "-nostdin",
    "-loglevel",
    "error",
    "-y",
    "-filter_complex_threads",
    "2",
    ...layers.flatMap(({ name, image }) => rawInput(name, image)),
    "-filter_complex",
    [...layerGraph(layers, 0), result].join(";"),
    "-map",
    "[image]",
    "-frames:v",
    "1",
    "-map_metadata",
    "-1",
    "-fflags",
    "+bitexact",
    "-flags:v",
    "+bitexact",
    "-threads",
    "2",
    ...encoders[format],
    ...(isDraft && format === "png" ? ["-pred", "up"] : []),
    outputName,
  ];
  return { args, files: layers.map(({ name, image }) => rawFile(name, image)) };
}
