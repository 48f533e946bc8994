import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moods } from "../scenes/moods.ts";
import { paintSky } from "../scenes/stage.ts";
import { font } from "./ffmpeg-arguments.ts";
import { randomFrom } from "./paint.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import { layOut } from "./text-layout.ts";

const [width, height] = [1_280, 720];
/** The id stays within the square in the middle, so that it is seen in a thumbnail as well. */
const box = { width: 620, height: 500, fontSizeMin: 24, fontSizeMax: 62 };
const idCharactersMax = 80;
/** Dark enough to carry white text. */
const skies = [...moods.dusk, ...moods.night, ...moods.aurora, ...moods.neon] as const;

/** Stands in for a registered asset: a sky of its own, with the asset's id on it, as PNG. */
export async function imageOfAsset(id: string): Promise<Buffer> {
  const start = createHash("sha256").update(id.toWellFormed()).digest();
  const palette = skies[start.readUInt32LE(0) % skies.length] ?? skies[0];
  const seed = start.readUInt32LE(4);
  const stage = { width, height, seconds: 0, unit: 1, scale: 1, palette, seed };
  const sky = paintSky({ ...stage, random: randomFrom(seed) }, { horizon: 0.8 }).image;
  const { lines, fontSize } = layOut(id.slice(0, idCharactersMax).replaceAll(/[-_]/g, "$&\n"), box);
  const folder = await mkdtemp(join(tmpdir(), "sandbox-asset-"));
  try {
    await writeFile(join(folder, "sky.raw"), sky.bytes);
    await writeFile(join(folder, "id.txt"), lines.join("\n") || " ");
    await runFfmpeg(
      { workDir: folder, children: new Set(), stopped: false, isDraft: false },
      folder,
      [
        ...["-hide_banner", "-nostdin", "-loglevel", "error", "-f", "rawvideo"],
        ...["-pixel_format", sky.pixelFormat, "-video_size", `${width}x${height}`, "-i", "sky.raw"],
        "-vf",
        `drawtext=${font("DejaVuSans-Bold")}:textfile=id.txt:expansion=none:fontsize=${fontSize}:fontcolor=white:x=(w-tw)/2:y=(h-th)/2`,
        ...["-frames:v", "1", "-f", "image2", "-update", "1", "-c:v", "png", "asset.png"],
      ],
    );
    return await readFile(join(folder, "asset.png"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
