import { z } from "zod";
import { type Confinement, confinedPath, runConfined } from "../media/probe/confine.ts";
import { readingOptions } from "../media/probe/probe.ts";
import { parseAigc } from "./aigc.ts";

const readMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const outputBytesMax = 1024 * 1024;

/** Matroska and ffmpeg may write names in other cases. */
const tags = z.record(z.string(), z.string()).default({});
const report = z.object({ format: z.object({ tags }).default({ tags: {} }) });

/**
 * The implicit label of a video, of whomever: a confined program reads it. Null if there is none, or a text
 * that is not a label.
 */
export async function readAigc(path: string, contentType: string): Promise<string | null> {
  const text = await readTag(path, contentType);
  return text !== null && parseAigc(text) !== null ? text : null;
}

/** The tag `AIGC` of a video, whatever it says; null if it has none, or more metadata than any label needs. */
export async function readTag(path: string, contentType: string): Promise<string | null> {
  const within: Confinement = {
    inputs: { media: path },
    msMax: readMsMax,
    memoryBytesMax,
    fileBytesMax: 0,
    stdoutBytesMax: outputBytesMax,
  };
  const result = await runConfined(
    "/usr/bin/ffprobe",
    [
      ...["-v", "error", "-of", "json", "-show_entries", "format_tags"],
      ...readingOptions(contentType),
      `file:${confinedPath(within, "in", "media")}`,
    ],
    within,
  );
  if (result.isTooLong) return null;
  if (result.exitCode !== 0) throw new Error(`the label could not be read: ${result.complaint}`);
  const read = report.safeParse(parse(result.stdout));
  if (!read.success) return null;
  const [, text] =
    Object.entries(read.data.format.tags).find(([name]) => name.toUpperCase() === "AIGC") ?? [];
  return text ?? null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
