import { z } from "zod";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { readingOptions } from "./probe.ts";

/** The frames of a video: what is needed to cut it into segments and to join them. */
export interface VideoFrames {
  /** Ticks of this length, as a fraction of a second: all times below are counted in them. */
  tick: { over: number; under: number };
  /** The times at which the frames are shown, in order; `isKey` where decoding can begin. */
  frames: { at: number; isKey: boolean }[];
  /** The time at which the last frame ends. */
  endsAt: number;
  /** The start of the whole file, in seconds: other streams may start before the video stream. */
  startsAtSeconds: number;
  codec: string;
  pixelFormat: string;
  /** The colour space, `unknown` if the file does not state it; `gbr` and the like. */
  matrix: string;
  transfer: string;
  fieldOrder: string;
  /** The codecs of the audio streams, in order. */
  audioCodecs: string[];
}

const listMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const outputBytesMax = 64 * 1024 * 1024; // a line per frame
const framesMax = 200_000;

const reportSchema = z.object({
  codec_name: z.string(),
  time_base: z.string().regex(/^\d+\/\d+$/),
  pix_fmt: z.string(),
  color_space: z.string().default("unknown"),
  color_transfer: z.string().default("unknown"),
  field_order: z.string().default("unknown"),
});

/** Null if the frames cannot be listed or have no usable timestamps. */
export async function listFrames(path: string, contentType: string): Promise<VideoFrames | null> {
  const packets: { at: number; lasts: number; isKey: boolean }[] = [];
  const audioCodecs: string[] = [];
  let report: unknown = null;
  let startsAtSeconds = 0;
  let isBroken = false;
  const isRead = await readLines(path, contentType, ["-select_streams", "V:0"], (fields) => {
    if (fields["flags"] === undefined) {
      if (fields["time_base"] !== undefined) report = fields;
      if (fields["start_time"] !== undefined) startsAtSeconds = Number(fields["start_time"]) || 0;
      return;
    }
    if (fields["flags"].includes("D")) return; // decoded, never shown
    const at = Number(fields["pts"] ?? Number.NaN);
    isBroken ||= !Number.isSafeInteger(at) || packets.length >= framesMax;
    const lasts = Number(fields["duration"] ?? 0);
    packets.push({
      at,
      lasts: Number.isSafeInteger(lasts) ? lasts : 0,
      isKey: fields["flags"].startsWith("K"),
    });
  });
  const isAudioRead = await readLines(path, contentType, ["-select_streams", "a"], (fields) => {
    if (fields["codec_name"] !== undefined) audioCodecs.push(fields["codec_name"]);
  });
  const known = reportSchema.safeParse(report);
  packets.sort((a, b) => a.at - b.at);
  const last = packets.at(-1);
  if (!isRead || !isAudioRead || isBroken || last === undefined || !known.success) return null;
  const [over = 0, under = 0] = known.data.time_base.split("/").map(Number);
  if (over < 1 || under < 1) return null;
  return {
    tick: { over, under },
    frames: packets.map(({ at, isKey }) => ({ at, isKey })),
    endsAt: last.at + Math.max(last.lasts || last.at - (packets.at(-2)?.at ?? last.at), 1),
    startsAtSeconds,
    codec: known.data.codec_name,
    pixelFormat: known.data.pix_fmt,
    matrix: known.data.color_space,
    transfer: known.data.color_transfer,
    fieldOrder: known.data.field_order,
    audioCodecs,
  };
}

async function readLines(
  path: string,
  contentType: string,
  streams: string[],
  onFields: (fields: Partial<Record<string, string>>) => void,
): Promise<boolean> {
  const within: Confinement = {
    inputs: { media: path },
    msMax: listMsMax,
    memoryBytesMax,
    fileBytesMax: 0,
    stdoutBytesMax: outputBytesMax,
  };
  const isImage = streams.includes("V:0");
  const entries = isImage
    ? "packet=pts,duration,flags:stream=codec_name,time_base,pix_fmt,color_space,color_transfer,field_order:format=start_time"
    : "stream=codec_name";
  const { exitCode } = await runConfined(
    "/usr/bin/ffprobe",
    [
      "-v",
      "error",
      "-of",
      "compact=p=0:nk=0",
      "-show_entries",
      entries,
      ...streams,
      ...readingOptions(contentType),
      `file:${confinedPath(within, "in", "media")}`,
    ],
    within,
    (line) => onFields(Object.fromEntries(line.split("|").map((field) => field.split("=", 2)))),
  );
  return exitCode === 0;
}
