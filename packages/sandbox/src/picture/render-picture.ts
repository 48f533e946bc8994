import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runFfmpeg, type Studio } from "../film/run-ffmpeg.ts";
import { canvasOf, groundName, type PictureSpec, writePictureRecipe } from "./picture-recipe.ts";
import { decodeToFit } from "./read-reference.ts";

/**
 * Renders a picture and moves it to `path` when it is complete. The ground of an edit is decoded by
 * an ffmpeg of its own: the one that renders reads nothing but what we have written.
 */
export async function renderPicture(
  studio: Studio,
  spec: PictureSpec,
  path: string,
): Promise<void> {
  const folder = await mkdtemp(join(studio.workDir, "picture-"));
  try {
    const [ground] = spec.references;
    if (ground) await decodeToFit(studio, folder, ground, canvasOf(spec), groundName);
    const { files, args } = writePictureRecipe(spec, "picture");
    for (const file of files) await writeFile(join(folder, file.name), file.bytes);
    await runFfmpeg(studio, folder, args);
    await rename(join(folder, "picture"), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
