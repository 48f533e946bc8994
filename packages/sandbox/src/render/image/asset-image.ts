import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderImage } from "./render-image.ts";

/** Stands in for a registered asset: the image, as PNG, that its id shows when it is the prompt. */
export async function imageOfAsset(id: string): Promise<Buffer> {
  const workDir = await mkdtemp(join(tmpdir(), "sandbox-asset-"));
  try {
    const studio = { workDir, children: new Set<never>(), stopped: false, isDraft: false };
    const spec = { prompt: id, width: 1_280, height: 720, seed: 1, references: [] };
    const path = join(workDir, "asset.png");
    await renderImage(studio, { ...spec, format: "png" }, path);
    return await readFile(path);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
