import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "../media/probe/confine.ts";
import { readingOptions } from "../media/probe/probe.ts";
import { extensionOf } from "../media/probe/sniff.ts";
import type { LabelFrom } from "./aigc.ts";
import { readAigc, readTag } from "./read-aigc.ts";

const labelMsMax = 5 * 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
/** The allowance for another index. */
const slackBytes = 64 * 1024 * 1024;

const muxers: Partial<Record<string, readonly string[]>> = {
  "video/mp4": ["-movflags", "+faststart+use_metadata_tags", "-f", "mp4"],
  "video/quicktime": ["-movflags", "+faststart+use_metadata_tags", "-f", "mov"],
  "video/webm": ["-f", "webm"],
};

/**
 * Copies a video of an unusual form with the label, into `dir`; the streams stay as they are. ffmpeg may
 * leave out a tag without a word, so that it is read back.
 */
export async function labelVideo(
  video: { path: string; contentType: string; sizeBytes: number },
  labelFrom: LabelFrom,
  dir: string,
): Promise<{ path: string; aigc: string }> {
  const { path, contentType } = video;
  const muxer = muxers[contentType];
  if (muxer === undefined) throw new Error(`no label for ${contentType}`);
  const { aigc } = labelFrom(await readAigc(path, contentType));
  const name = `labelled.${extensionOf(contentType)}`;
  const within: Confinement = {
    inputs: { media: path },
    outputDir: dir,
    msMax: labelMsMax,
    memoryBytesMax,
    fileBytesMax: video.sizeBytes + slackBytes,
    stdoutBytesMax: 0,
  };
  const { exitCode, complaint } = await runConfined(
    "/usr/bin/ffmpeg",
    [
      ...["-v", "error", "-nostdin", "-y"],
      ...readingOptions(contentType),
      ...["-i", `file:${confinedPath(within, "in", "media")}`],
      ...[
        "-map",
        "0:v",
        "-map",
        "0:a?",
        "-map",
        "0:s?",
        "-c",
        "copy",
        "-map_metadata",
        "0",
        "-metadata",
        `AIGC=${aigc}`,
      ],
      ...["-bitexact", ...muxer],
      `file:${confinedPath(within, "out", name)}`,
    ],
    within,
  );
  if (exitCode !== 0) throw new Error(`the label could not be written: ${complaint}`);
  const labelled = join(dir, name);
  await requireAigc(labelled, contentType, aigc);
  return { path: labelled, aigc };
}

/** Throws unless another program reads the label in the file. */
export async function requireAigc(path: string, contentType: string, aigc: string): Promise<void> {
  if ((await readTag(path, contentType)) !== aigc)
    throw new Error("the label was not found in the file that it was written into");
}
