import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Confinement, confinedPath, runConfined } from "../../media/probe/confine.ts";
import { readingOptions } from "../../media/probe/probe.ts";
import {
  drawLabelAfter,
  placeLabel,
  visibleLabelPath,
  visibleSeconds,
} from "../../media/visible-label.ts";
import type { Cut, Delay } from "./find-cut.ts";
import type { PacketList, VideoStream } from "./list-packets.ts";

/** Below the time after which the engine repeats a step. */
export const encodeMsMax = 8 * 60_000;
const memoryBytesMax = 4 * 1024 * 1024 * 1024;
const fileBytesMax = 2 * 1024 * 1024 * 1024;

export interface VideoFile {
  path: string;
  contentType: string;
  /** As displayed. */
  width: number;
  height: number;
}

const x264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-threads", "1"];
/** Encoders by the codec of the source, each of the same family. Other codecs become H.264. */
const encoders: Partial<Record<string, readonly string[]>> = {
  hevc: [
    ...["-c:v", "libx265", "-preset", "superfast", "-crf", "20", "-tag:v", "hvc1"],
    ...["-x265-params", "log-level=error"],
  ],
  vp8: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "4", "-crf", "8", "-b:v", "20M"],
  vp9: [
    ...["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1"],
    ...["-crf", "24", "-b:v", "0"],
  ],
  av1: ["-c:v", "libsvtav1", "-preset", "10", "-crf", "25"],
};
/** The codecs of which players also show 10 bits. */
const deepCodecs: readonly string[] = ["hevc", "vp9", "av1"];
const deepFormat = /(10|12)(le|be)$|^p01[02]/;
/** Tags about the container of the source, which ffmpeg would write as metadata. */
const ownTags = ["major_brand", "minor_version", "compatible_brands"].flatMap((name) => [
  "-metadata",
  `${name}=`,
]);
const muxers: Partial<Record<string, readonly string[]>> = {
  "video/mp4": ["-movflags", "+faststart+use_metadata_tags", "-f", "mp4"],
  "video/quicktime": ["-movflags", "+faststart+use_metadata_tags", "-f", "mov"],
  "video/webm": ["-f", "webm"],
};
/** The order of frames that an encoder of H.264 writes, by the delay that it causes. */
const ordersOf: Readonly<Record<Delay, readonly string[]>> = {
  0: ["-bf", "0", "-x264-params", "sps-id=1"],
  1: ["-bf", "2", "-x264-params", "sps-id=1:b-pyramid=none"],
  2: ["-bf", "3", "-x264-params", "sps-id=1:b-pyramid=normal"],
};

interface Work {
  source: VideoFile;
  packets: PacketList;
  dir: string;
}

/** Encodes the whole video again with the label, in its codec family; the audio is copied. Returns the path. */
export async function encodeWhole(
  { source, packets, dir }: Work,
  stream: VideoStream,
): Promise<string> {
  const { contentType } = source;
  const muxer = muxers[contentType];
  if (muxer === undefined) throw new Error(`no visible label for ${contentType}`);
  const { over, under } = packets.tick;
  const isDeep = deepCodecs.includes(stream.codec_name) && deepFormat.test(stream.pix_fmt);
  const pixelFormat = isDeep ? "yuv420p10le" : "yuv420p";
  const hasScale = contentType !== "video/webm" && over === 1;
  const inputs = { media: source.path, label: visibleLabelPath };
  return await run("whole", { dir, inputs }, (pathOf) => [
    ...inputOf(source, pathOf),
    ...["-map", "0:V:0", "-map", "0:a?", "-map_metadata", "0", "-map_chapters", "-1"],
    ...ownTags,
    ...labelOptions(source, packets, { pathOf, fromZero: false, pixelFormat }),
    ...(encoders[stream.codec_name] ?? x264),
    ...["-c:a", "copy", "-bitexact"],
    ...(hasScale ? ["-video_track_timescale", String(under)] : []),
    ...muxer,
  ]);
}

/** Encodes the frames before the cut again with the label, and joins them with a copy of the rest. */
export async function encodeHead({ source, packets, dir }: Work, cut: Cut): Promise<string> {
  const { tick } = packets;
  const scale = ["-video_track_timescale", String(tick.under)];
  const inputs = { media: source.path, label: visibleLabelPath };
  const head = await run("head", { dir, inputs }, (pathOf) => [
    ...inputOf(source, pathOf),
    ...["-map", "0:V:0", "-frames:v", String(cut.index)],
    ...labelOptions(source, packets, { pathOf, fromZero: true, pixelFormat: "yuv420p" }),
    ...x264,
    ...ordersOf[cut.delay],
    ...["-map_metadata", "-1", "-bitexact"],
    ...[...scale, "-f", "mp4"],
  ]);
  // Not before the key frame: a seek goes back to the one at or before the time.
  const cutAt = Math.ceil((cut.at * tick.over * 1_000_000) / tick.under);
  const tail = await run("tail", { dir, inputs: { media: source.path } }, (pathOf) => [
    ...["-ss", secondsOf(cutAt)],
    ...inputOf(source, pathOf),
    ...["-map", "0:V:0", "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1", "-bitexact"],
    ...[...scale, "-f", "mp4"],
  ]);
  return await joinParts({ source, packets, dir }, cut, { head, tail });
}

async function joinParts(
  { source, packets, dir }: Work,
  cut: Cut,
  { head, tail }: { head: string; tail: string },
): Promise<string> {
  const { tick, video } = packets;
  const startsAt = startOf(packets);
  const endsAt = Math.max(...video.slice(cut.index).map(({ pts, duration }) => pts + duration));
  // Differences of rounded times: rounding errors do not add up.
  const headLasts = microsecondsAt(cut.at - startsAt, tick);
  const tailLasts = microsecondsAt(endsAt - startsAt, tick) - headLasts;
  const list = join(dir, "list");
  return await run(
    "joined",
    { dir, inputs: { media: source.path, head, tail, list } },
    async (pathOf) => {
      const lines = [
        `file '${pathOf("head")}'`,
        `duration ${secondsOf(headLasts)}`,
        `file '${pathOf("tail")}'`,
        `duration ${secondsOf(tailLasts)}`,
      ];
      await writeFile(list, `ffconcat version 1.0\n${lines.join("\n")}\n`);
      return [
        ...["-protocol_whitelist", "file", "-format_whitelist", "concat,mov"],
        ...["-codec_whitelist", "h264"],
        ...["-itsoffset", secondsOf(microsecondsAt(startsAt, tick))],
        ...["-f", "concat", "-safe", "0", "-i", `file:${pathOf("list")}`],
        ...inputOf(source, pathOf),
        ...["-map", "0:v:0", "-map", "1:a?", "-c", "copy"],
        ...["-map_metadata", "1", "-map_chapters", "-1", ...ownTags, "-bitexact"],
        ...["-video_track_timescale", String(tick.under), ...(muxers["video/mp4"] ?? [])],
      ];
    },
  );
}

type PathOf = (name: string) => string;

/** Runs ffmpeg on files that it sees under these names; returns the path of what it wrote into `dir`. */
async function run(
  name: string,
  { dir, inputs }: { dir: string; inputs: Record<string, string> },
  argsOf: (pathOf: PathOf) => Promise<string[]> | string[],
): Promise<string> {
  const within: Confinement = {
    inputs,
    outputDir: dir,
    msMax: encodeMsMax,
    memoryBytesMax,
    fileBytesMax,
    stdoutBytesMax: 0,
  };
  const args = await argsOf((input) => confinedPath(within, "in", input));
  const { exitCode, complaint } = await runConfined(
    "/usr/bin/ffmpeg",
    ["-v", "error", "-nostdin", "-y", ...args, `file:${confinedPath(within, "out", name)}`],
    within,
  );
  if (exitCode !== 0) throw new Error(`ffmpeg made no ${name} with a visible label: ${complaint}`);
  return join(dir, name);
}

function inputOf({ contentType }: VideoFile, pathOf: PathOf): string[] {
  return [...readingOptions(contentType), "-i", `file:${pathOf("media")}`];
}

/**
 * The label, and the times of the frames as they are in the source. `fromZero`: the first is shown at 0. An
 * encoder that counts in frames writes their rate into the stream.
 */
function labelOptions(
  source: VideoFile,
  packets: PacketList,
  {
    pathOf,
    fromZero,
    pixelFormat,
  }: { pathOf: PathOf; fromZero: boolean; pixelFormat: "yuv420p" | "yuv420p10le" },
): string[] {
  const { tick } = packets;
  const startsAt = fromZero ? 0 : startOf(packets);
  const graph = drawLabelAfter(fromZero ? ["setpts=PTS-STARTPTS"] : [], {
    path: pathOf("label"),
    place: placeLabel(source),
    pixelFormat,
    tick,
    untilSeconds: (startsAt * tick.over) / tick.under + visibleSeconds,
  });
  const frameTicks = frameTicksOf(packets);
  const isEven = frameTicks !== null && startsAt % frameTicks === 0;
  const base = isEven ? `${frameTicks * tick.over}/${tick.under}` : "-1";
  return ["-vf", graph, "-fps_mode", "passthrough", "-enc_time_base", base];
}

/** The time from each frame to the next; null if it varies. */
function frameTicksOf({ video }: PacketList): number | null {
  const times = video.map(({ pts }) => pts).sort((one, other) => one - other);
  const [first = 0, second = 0] = times;
  const ticks = second - first;
  return ticks > 0 && times.every((time, at) => time - first === at * ticks) ? ticks : null;
}

/** The time at which the first frame is shown. */
function startOf({ video }: PacketList): number {
  return video.reduce((least, { pts }) => Math.min(least, pts), Number.POSITIVE_INFINITY);
}

function microsecondsAt(ticks: number, { over, under }: PacketList["tick"]): number {
  return Math.round((ticks * over * 1_000_000) / under);
}

function secondsOf(microseconds: number): string {
  return (microseconds / 1_000_000).toFixed(6);
}
