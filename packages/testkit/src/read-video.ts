import { execFile } from "node:child_process";
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

/** What is shown of a stream: what an edit list hides is left out. */
export async function readTrack(path: string, stream: "v:0" | "a:0"): Promise<Track> {
  const entries = "packet=pts,duration,flags:stream=time_base";
  const report = await probe(path, ["-select_streams", stream, "-show_entries", entries]);
  const { packets, streams } = report as {
    packets: { pts: number; duration?: number; flags: string }[];
    streams: [{ time_base: string }];
  };
  const [over = 0, under = 0] = streams[0].time_base.split("/").map(Number);
  return {
    ...{ over, under },
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

/** Of the audio packets as they are, without their times. */
export async function hashAudio(path: string): Promise<string> {
  const args = ["-v", "error", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "streamhash", "-"];
  return (await run("ffmpeg", args)).stdout.trim();
}

/** How alike the frames of two videos are, one by one, whatever their times: 1 is the same. */
export async function compareFrames(one: string, other: string): Promise<number[]> {
  const counted = "settb=1/1000,setpts=N";
  const graph = `[0:v]${counted}[a];[1:v]${counted}[b];[a][b]ssim=stats_file=-`;
  const { stdout } = await run(
    "ffmpeg",
    ["-v", "error", "-i", one, "-i", other, "-lavfi", graph, "-f", "null", "-"],
    { maxBuffer: outputBytesMax },
  );
  return [...stdout.matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all));
}

/** When audio is first heard after a silence, in seconds on the video's own clock. */
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

/** In seconds. */
export function startOf({ packets, over, under }: Track): number {
  return ((packets[0]?.at ?? Number.NaN) * over) / under;
}

/** Of a packet, in ticks. */
function endOf({ packets }: Track, place: number): number {
  const { at, lasts } = packets[place] ?? { at: Number.NaN, lasts: 0 };
  return at + lasts;
}

/** Between two packets, in ticks. */
export function largestGapOf(track: Track): number {
  const gaps = track.packets.slice(1).map(({ at }, place) => at - endOf(track, place));
  return Math.max(...gaps);
}

/** In seconds. */
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
