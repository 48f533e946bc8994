import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Confinement, confinedPath, runConfined } from "../../media/probe/confine.ts";
import { readingOptions } from "../../media/probe/probe.ts";

const listMsMax = 2 * 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const listBytesMax = 64 * 1024 * 1024; // a line per packet
const reportBytesMax = 1024 * 1024;
const packetsName = "packets";
const keysName = "keys";

/** The parameter sets of H.264, which are repeated in front of key frames when files are joined. */
const parameterSets = "7-8";
/** The slices of frames of H.264 at which decoding starts without anything before them. */
const keySlices = "5";

/** A packet in the order of the file. Times are in ticks of its stream. */
export interface Packet {
  dts: number;
  pts: number;
  duration: number;
  sizeBytes: number;
  /** Of its bytes, without parameter sets of H.264. */
  hash: string;
}

export interface PacketList {
  tick: { over: number; under: number };
  video: Packet[];
  /** Of all audio streams, and the tick of each. */
  audio: (Packet & { stream: number; tick: { over: number; under: number } })[];
  /** The times of the frames of H.264 that need nothing before them; empty for other codecs. */
  keys: ReadonlySet<number>;
}

const streamSchema = z.object({
  codec_name: z.string(),
  pix_fmt: z.string().default(""),
  field_order: z.string().default("unknown"),
});
const reportSchema = z.object({ streams: z.array(streamSchema).min(1) });
export type VideoStream = z.output<typeof streamSchema>;

/** What decides how the video stream of a file can be encoded again. */
export async function describeVideo(path: string, contentType: string): Promise<VideoStream> {
  const within: Confinement = {
    inputs: { media: path },
    msMax: listMsMax,
    memoryBytesMax,
    fileBytesMax: 0,
    stdoutBytesMax: reportBytesMax,
  };
  const result = await runConfined(
    "/usr/bin/ffprobe",
    [
      ...["-v", "error", "-of", "json", "-select_streams", "V:0"],
      ...["-show_entries", "stream=codec_name,pix_fmt,field_order"],
      ...readingOptions(contentType),
      `file:${confinedPath(within, "in", "media")}`,
    ],
    within,
  );
  if (result.exitCode !== 0) throw new Error(`the video could not be read: ${result.complaint}`);
  const [stream] = reportSchema.parse(JSON.parse(result.stdout)).streams;
  if (stream === undefined) throw new Error("there is no video stream");
  return stream;
}

/** Lists the packets of a video and its audio with their hashes. Writes into `dir`. */
export async function listPackets(
  path: string,
  { contentType, codec, dir }: { contentType: string; codec: string; dir: string },
): Promise<PacketList> {
  const within: Confinement = {
    inputs: { media: path },
    outputDir: dir,
    msMax: listMsMax,
    memoryBytesMax,
    fileBytesMax: listBytesMax,
    stdoutBytesMax: 0,
  };
  const isH264 = codec === "h264";
  const outputOf = (name: string, units: string | null) => [
    ...(units === null ? [] : ["-bsf:v", `h264_mp4toannexb,filter_units=${units}`]),
    ...["-c", "copy", "-f", "framehash", "-hash", "md5"],
    `file:${confinedPath(within, "out", name)}`,
  ];
  const { exitCode, complaint } = await runConfined(
    "/usr/bin/ffmpeg",
    [
      ...["-v", "error", "-nostdin", "-y"],
      ...readingOptions(contentType),
      ...["-i", `file:${confinedPath(within, "in", "media")}`],
      ...["-map", "0:V:0", "-map", "0:a?"],
      ...outputOf(packetsName, isH264 ? `remove_types=${parameterSets}` : null),
      ...(isH264 ? ["-map", "0:V:0", ...outputOf(keysName, `pass_types=${keySlices}`)] : []),
    ],
    within,
  );
  if (exitCode !== 0) throw new Error(`the packets could not be listed: ${complaint}`);
  const { ticks, packets } = parse(await readFile(join(dir, packetsName), "utf8"));
  const keys = isH264 ? parse(await readFile(join(dir, keysName), "utf8")).packets : [];
  const tickOf = (stream: number) => {
    const tick = ticks.get(stream);
    if (tick === undefined) throw new Error(`stream ${stream} has no time base`);
    return tick;
  };
  return {
    tick: tickOf(0),
    video: packets.filter(({ stream }) => stream === 0),
    audio: packets
      .filter(({ stream }) => stream !== 0)
      .map((packet) => ({ ...packet, tick: tickOf(packet.stream) })),
    keys: new Set(keys.map(({ pts }) => pts)),
  };
}

/** Reads the lines of ffmpeg's `framehash`: stream, dts, pts, duration, size and hash. */
function parse(text: string) {
  const ticks = new Map<number, { over: number; under: number }>();
  const packets: (Packet & { stream: number })[] = [];
  for (const line of text.split("\n")) {
    const { stream, over, under } =
      /^#tb (?<stream>\d+): (?<over>\d+)\/(?<under>\d+)/.exec(line)?.groups ?? {};
    if (stream !== undefined)
      ticks.set(Number(stream), { over: Number(over), under: Number(under) });
    if (line === "" || line.startsWith("#")) continue;
    const [number, dts, pts, duration, sizeBytes, hash = ""] = line
      .split(",")
      .map((part) => part.trim());
    packets.push({
      stream: Number(number),
      dts: Number(dts),
      pts: Number(pts),
      duration: Number(duration),
      sizeBytes: Number(sizeBytes),
      hash,
    });
  }
  return { ticks, packets };
}
