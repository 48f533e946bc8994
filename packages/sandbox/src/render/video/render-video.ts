import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { composeScene } from "./compose.ts";
import { readMedia } from "./read-media.ts";
import { runFfmpeg, type Studio } from "./run-ffmpeg.ts";
import type { VideoSpec } from "./spec.ts";
import { writeVideoRecipe } from "./video-recipe.ts";

/**
 * Renders a video and moves it to `path` when it is complete: nobody ever sees half a video.
 * Throws InputError when one of its inputs is not what it should be.
 */
export async function renderVideo(
  studio: Studio,
  spec: VideoSpec,
  path: string,
  encoder: readonly string[] = [],
): Promise<void> {
  const folder = await mkdtemp(join(studio.workDir, "render-"));
  try {
    const media = await readMedia(studio, folder, spec);
    const layers = composeScene(spec, media);
    const { files, args } = writeVideoRecipe(spec, layers, media, "video.mp4", encoder);
    for (const file of files) await writeFile(join(folder, file.name), file.bytes);
    await runFfmpeg(studio, folder, args);
    await rename(join(folder, "video.mp4"), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
