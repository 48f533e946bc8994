import { readMarks } from "../labels/read-marks.ts";
import { decode, ImageError } from "../media/image/decode.ts";
import { printOfPixels } from "../media/image/print.ts";
import { extractPixels, frameSide } from "../media/probe/extract-pixels.ts";
import { type MediaFacts, probeMedia } from "../media/probe/probe.ts";
import type { OpenerContext } from "./context.ts";
import type { OpenedFile } from "./schema.ts";

/** The owner of this work where it meets that of customers. */
const owner = "verify";
/** Crops that a print does not survive by itself: the shares of a side that may be missing at each end. */
const margins = [0, 0.015, 0.03];

/** Reads the prints and marks of a stranger's file by confined programs. Aborted, it starts no other program. */
export async function openFile(
  ctx: OpenerContext,
  path: string,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const entry = { owner, signal };
  const facts = await ctx.programs.use(entry, () => probeMedia(path));
  if (facts === null) return { isOpened: false, prints: [], marks: [] };
  const prints = await ctx.programs.use(entry, () => printsOf(path, facts));
  return { isOpened: true, prints, marks: await readMarks(ctx, path, facts, entry) };
}

async function printsOf(path: string, { type, contentType }: MediaFacts): Promise<string[]> {
  if (type === "AUDIO") return [];
  const pictures =
    type === "VIDEO"
      ? (await extractPixels(path, contentType)).map((pixels) => ({
          width: frameSide,
          height: frameSide,
          pixels,
        }))
      : await readPicture(path);
  return pictures.flatMap(({ width, height, pixels }) =>
    margins.flatMap((margin) => printOfPixels(width, height, pixels, margin) ?? []),
  );
}

async function readPicture(path: string) {
  try {
    const { facts, parts } = await decode({ kind: "poster" }, path);
    const [, pixels] = parts;
    return pixels === undefined ? [] : [{ ...facts.thumb, pixels }];
  } catch (error) {
    if (error instanceof ImageError) return []; // a BMP, which has been probed by ffprobe
    throw error;
  }
}
