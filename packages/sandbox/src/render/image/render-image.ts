import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runFfmpeg, type Studio } from "../video/run-ffmpeg.ts";
import { canvasOf, groundName, type ImageSpec, writeImageRecipe } from "./image-recipe.ts";
import { decodeToFit } from "./read-reference.ts";

/**
 * Renders an image and moves it to `path` when it is complete. The ground of an edit is decoded by
 * an ffmpeg of its own: the one that renders reads nothing but what we have written.
 */
export async function renderImage(studio: Studio, spec: ImageSpec, path: string): Promise<void> {
  const folder = await mkdtemp(join(studio.workDir, "image-"));
  try {
    const [ground] = spec.references;
    const canvas = canvasOf(spec, studio.isDraft);
    if (ground) await decodeToFit(studio, folder, ground, canvas, groundName);
    const { files, args } = writeImageRecipe(spec, "image", studio.isDraft);
    for (const file of files) await writeFile(join(folder, file.name), file.bytes);
    await runFfmpeg(studio, folder, args);
    await rename(join(folder, "image"), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
