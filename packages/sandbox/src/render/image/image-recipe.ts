import { chooseScene } from "../scenes/choose-scene.ts";
import { scenes } from "../scenes/scenes.ts";
import type { Layer } from "../scenes/stage.ts";
import { composeScene, stageOf, type WorldSpec } from "../video/compose.ts";
import type { Recipe, WorkFile } from "../video/ffmpeg-arguments.ts";
import type { Image } from "../video/paint.ts";
import { mix, type Palette } from "../video/palettes.ts";
import { writeCaptions } from "./captions.ts";
import type { ImageFormat } from "./image-format.ts";
import { type Framed, placeThumbnails } from "./place-thumbnails.ts";
import type { Reference } from "./read-reference.ts";

/** Everything an image depends on: the same spec gives the same image. */
export interface ImageSpec {
  prompt: string;
  width: number;
  height: number;
  seed: number;
  format: ImageFormat;
  /** Shown small and numbered; the first is also the ground of the image, which then is an edit. */
  references: readonly Reference[];
}

const encoders: Record<ImageFormat, string[]> = {
  png: ["-c:v", "png", "-pred", "sub", "-compression_level", "2", "-f", "image2", "-update", "1"],
  jpeg: ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", "-f", "image2", "-update", "1"],
  webp: ["-c:v", "libwebp", "-quality", "85", "-compression_level", "2", "-f", "webp"],
};

/** The lines of a draft repeat, which compresses faster. */
const draftEncoders: Record<ImageFormat, string[]> = { png: ["-pred", "up"], jpeg: [], webp: [] };

interface Size {
  width: number;
  height: number;
}

const canvasSideMax = 1_920;
const draftSideMax = 320;

/** All but the text is composed no larger than this and upscaled once: 4k costs little more. */
export function canvasOf({ width, height }: Size, isDraft = false): Size {
  const sideMax = isDraft ? draftSideMax : canvasSideMax;
  const scale = Math.min(1, sideMax / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Something laid on the canvas at `x` and `y`, which are ffmpeg expressions. */
interface Sheet {
  input: string[];
  filters: string;
  x: string;
  y: string;
  /** The file that `input` reads, unless it is there already. */
  file?: WorkFile;
}

const unmoved = { filters: "null", x: "0", y: "0" };

/**
 * The whole image as one ffmpeg call. As for videos, text of the caller reaches ffmpeg only as the
 * contents of files read with `expansion=none`, and input images only under fixed names.
 */
export function writeImageRecipe(spec: ImageSpec, outputName: string, isDraft = false): Recipe {
  const { prompt, seed, references } = spec;
  const canvas = canvasOf(spec, isDraft);
  const world = { prompt, ...canvas, seed, seconds: 0, audio: false };
  const thumbnails = references.map(({ thumbnail }) => thumbnail);
  const painted =
    references.length > 0
      ? [groundSheet(canvas), ...changeOver(world)]
      : composeScene(world).layers.map(paintedSheet);
  const shown = placeThumbnails(thumbnails, canvas).map((place, at) =>
    framed(place, at, thumbnails[at]),
  );
  const sheets = [...painted, ...shown];
  const captionText = writeCaptions(spec, placeThumbnails(thumbnails, spec));
  const graph = sheets.map(({ filters, x, y }, at) => {
    if (at === 0) return `[0:v]${filters},format=rgb24[p0]`;
    const laid = `[p${at - 1}][s${at}]overlay=x='${x}':y='${y}':format=rgb[p${at}]`;
    return `[${at}:v]${filters},format=rgba[s${at}];${laid}`;
  });
  const upscale = scaleTo(spec.width, spec.height, isDraft ? "neighbor" : "bicubic");
  graph.push(
    `[p${sheets.length - 1}]${[upscale, ...captionText.filters].join(",")},format=rgb24[image]`,
  );
  const args = [
    ...["-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-filter_complex_threads", "2"],
    ...sheets.flatMap(({ input }) => input),
    ...["-filter_complex", graph.join(";"), "-map", "[image]", "-frames:v", "1"],
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-threads", "2"],
    ...[...encoders[spec.format], ...(isDraft ? draftEncoders[spec.format] : []), outputName],
  ];
  return { args, files: [...sheets.flatMap(({ file }) => file ?? []), ...captionText.files] };
}

function rawInput(name: string, { width, height, pixelFormat }: Omit<Image, "bytes">): string[] {
  const size = ["-video_size", `${width}x${height}`];
  return ["-f", "rawvideo", "-pixel_format", pixelFormat, ...size, "-i", name];
}

/** Of a loop, the first frame. */
function rawFile(name: string, image: Image) {
  const length = image.bytes.length / (image.frames ?? 1);
  const file = { name: `${name}.raw`, bytes: image.bytes.subarray(0, length) };
  return { input: rawInput(file.name, image), file };
}

function scaleTo(width: number, height: number, flags = "bicubic"): string {
  return `scale=${width}:${height}:flags=${flags}`;
}

/** Layers of a video move with `t`; a still image shows their first moment. */
function paintedSheet({ name, image, width, height, x, y }: Layer): Sheet {
  const atStart = (expression: string) => expression.replaceAll(/\bt\b/g, "0");
  const filters = scaleTo(width, height);
  return { ...rawFile(name, image), filters, x: atStart(x), y: atStart(y) };
}

/** Where an edit finds its first reference, as RGB of the canvas's size. */
export const groundName = "ground.raw";

function groundSheet(size: Size): Sheet {
  return { input: rawInput(groundName, { ...size, pixelFormat: "rgb24" }), ...unmoved };
}

/** What an edit does to its ground: the prompt's sky washed over it, hills in front, a balloon. */
function changeOver(world: WorldSpec): Sheet[] {
  const choice = chooseScene(world.prompt, world.seed);
  const wash = rawFile("wash", paintWash(choice.palette));
  const hills = scenes.hills.paint(stageOf(world, choice));
  const kept = hills.filter(({ name }) => ["near", "front", "balloon"].includes(name));
  const filters = scaleTo(world.width, world.height);
  return [{ ...wash, ...unmoved, filters }, ...kept.map(paintedSheet)];
}

const washHeight = 512;

/** The sky's colour from above, dense enough for white text to be read on any ground. */
function paintWash(palette: Palette): Image {
  const bytes = Buffer.alloc(washHeight * 4);
  for (let y = 0; y < washHeight; y++) {
    const depth = y / washHeight;
    const opacity = 0.16 + 0.62 * (1 - Math.min(1, depth / 0.7)) ** 0.8;
    bytes.set([...mix(palette.skyTop, palette.skyMiddle, depth * 1.4), opacity * 255], y * 4);
  }
  return { width: 1, height: washHeight, pixelFormat: "rgba", bytes };
}

/** A reference in a white frame with a shadow; its number is written with the other text. */
function framed({ x, y, ...place }: Framed, at: number, thumbnail: Image | undefined): Sheet {
  if (!thumbnail) throw new Error("a place without a thumbnail");
  const { width, height, frame, shadow } = place;
  const frameIt = `pad=${width + 2 * frame}:${height + 2 * frame}:${frame}:${frame}:color=white`;
  const shade = `pad=iw+${shadow}:ih+${shadow}:0:0:color=black@0.35`;
  const filters = `${scaleTo(width, height)},format=rgba,${frameIt},${shade}`;
  return { ...rawFile(`thumbnail-${at + 1}`, thumbnail), filters, x: String(x), y: String(y) };
}
