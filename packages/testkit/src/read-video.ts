import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const outputBytesMax = 64 * 1024 * 1024;

/** A stream of a video, packet by packet, in the order in which they are shown. */
interface Track {
  /** Seconds per tick, as a fraction. */
  over: number;
  under: number;
  packets: { at: number; lasts: number }[];
}

interface Packet {
  stream_index: number;
  pts: number;
  duration?: number;
  flags: string;
}

interface Stream {
  index: number;
  codec_type: string;
  time_base: string;
}

/**
 * Returns the shown parts of the first image stream and of the first audio stream, without what an
 * edit list hides.
 */
export async function readTracks(path: string): Promise<{ image: Track; audio: Track }> {
  const entries = "packet=stream_index,pts,duration,flags:stream=index,codec_type,time_base";
  const { packets, streams } = (await probe(path, ["-show_entries", entries])) as {
    packets: Packet[];
    streams: Stream[];
  };
  const trackOf = (type: string) => {
    const stream = streams.find(({ codec_type }) => codec_type === type);
    return toTrack(
      packets.filter(({ stream_index }) => stream_index === stream?.index),
      stream?.time_base ?? "0/0",
    );
  };
  return { image: trackOf("video"), audio: trackOf("audio") };
}

function toTrack(packets: readonly Packet[], tick: string): Track {
  const [over = 0, under = 0] = tick.split("/").map(Number);
  return {
    over,
    under,
    packets: packets
      .filter(({ flags }) => !flags.includes("D"))
      .map(({ pts, duration }) => ({ at: pts, lasts: Number(duration ?? 0) }))
      .toSorted((a, b) => a.at - b.at),
  };
}

export async function readStreams(path: string): Promise<Record<string, unknown>[]> {
  const { streams } = (await probe(path, ["-show_streams"])) as {
    streams: Record<string, unknown>[];
  };
  return streams;
}

async function probe(path: string, options: string[]): Promise<unknown> {
  const args = ["-v", "error", "-of", "json", ...options, path];
  const { stdout } = await run("ffprobe", args, { maxBuffer: outputBytesMax });
  return JSON.parse(stdout);
}

/** Returns the hash of the audio packets as they are, without their times. */
export async function hashAudio(path: string): Promise<string> {
  const args = ["-v", "error", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "streamhash", "-"];
  return (await run("ffmpeg", args)).stdout.trim();
}

/**
 * Returns the likeness of the frames of two videos, one by one, whatever their times: 1 is equal.
 * Several pairs are compared by one ffmpeg, because starting it takes longer than comparing. `dir`
 * is a folder of the caller.
 */
export async function compareFrames(
  dir: string,
  pairs: readonly (readonly [string, string])[],
): Promise<number[][]> {
  const files = [...new Set(pairs.flat())];
  const statsOf = (pair: number) => join(dir, `ssim-${pair}`);
  const copies = files.map((file, input) => {
    const uses = pairs.flatMap((pair, at) =>
      pair.flatMap((path, side) => (path === file ? [`[${at}-${side}]`] : [])),
    );
    return `[${input}:v]settb=1/1000,setpts=N,split=${uses.length}${uses.join("")}`;
  });
  const comparisons = pairs.map(
    (_, at) => `[${at}-0][${at}-1]ssim=stats_file=${statsOf(at)}[${at}]`,
  );
  const inputs = files.flatMap((file) => ["-i", file]);
  const outputs = pairs.flatMap((_, at) => ["-map", `[${at}]`, "-f", "null", "-"]);
  const graph = [...copies, ...comparisons].join(";");
  await run("ffmpeg", ["-v", "error", ...inputs, "-filter_complex", graph, ...outputs]);
  return await Promise.all(
    pairs.map(async (_, at) => {
      const stats = await readFile(statsOf(at), "utf8");
      return [...stats.matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all));
    }),
  );
}

/** Returns the time at which audio is first heard after a silence, in seconds on the video's own clock. */
export async function audioStartsAt(path: string): Promise<number> {
  const detect = ["-af", "silencedetect=n=-40dB:d=0.3", "-f", "null", "-"];
  const args = ["-nostdin", "-hide_banner", "-copyts", "-i", path, "-map", "0:a:0", ...detect];
  const { stderr } = await run("ffmpeg", args);
  return Number(/silence_end: ([\d.]+)/.exec(stderr)?.[1]);
}

const mosaicSide = 16;

/** A frame as it is shown, as a mosaic of red, green and blue; blurred, so that edges do not count. */
export async function readMosaic(path: string, frame: number): Promise<number[]> {
  const filters = [
    `select=eq(n\\,${frame})`,
    "scale=320:320:flags=bicubic+full_chroma_int+accurate_rnd",
    "format=gbrp,gblur=8",
    `scale=${mosaicSide}:${mosaicSide}:flags=area`,
    "format=rgb24",
  ].join(",");
  const image = ["-frames:v", "1", "-vf", filters, "-f", "rawvideo", "-"];
  const args = ["-v", "error", "-nostdin", "-i", path, ...image];
  const { stdout } = await run("ffmpeg", args, { encoding: "buffer" });
  if (stdout.length !== 3 * mosaicSide ** 2) throw new Error(`${path} has no frame ${frame}`);
  return [...stdout];
}

/** Returns the start in seconds. */
export function startOf({ packets, over, under }: Track): number {
  return ((packets[0]?.at ?? Number.NaN) * over) / under;
}

/** Returns the end of a packet, in ticks. */
function endOf({ packets }: Track, index: number): number {
  const { at, lasts } = packets[index] ?? { at: Number.NaN, lasts: 0 };
  return at + lasts;
}

/** Between two packets, in ticks. */
export function largestGapOf(track: Track): number {
  const gaps = track.packets.slice(1).map(({ at }, index) => at - endOf(track, index));
  return Math.max(...gaps);
}

/** Returns the length in seconds. */
export function lengthOf(track: Track): number {
  return (endOf(track, track.packets.length - 1) * track.over) / track.under - startOf(track);
}

/** Since the first, in seconds, as exact fractions: tracks with other ticks can be compared. */
export function timesOf({ packets, over, under }: Track): string[] {
  const first = packets[0]?.at ?? 0;
  return packets.map(({ at }) => {
    const [ticks, perSecond] = [(at - first) * over, under];
    const common = gcd(ticks, perSecond);
    return `${ticks / common}/${perSecond / common}`;
  });
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
