import { open } from "node:fs/promises";
import { z } from "zod";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { openPicture } from "./open-picture.ts";
import { type Sniffed, sniff, sniffBytes } from "./sniff.ts";

/** What a file is, measured from its bytes. */
export interface MediaFacts extends Sniffed {
  /** As it is shown: turned and with square pixels. `null` for sound. */
  width: number | null;
  height: number | null;
  /** From the first to the end of the last packet, whatever the header says. `null` for a picture. */
  durationMs: number | null;
  videoCodec: string | null;
  audioCodec: string | null;
}

const probeMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const outputBytesMax = 32 * 1024 * 1024; // a line per packet
const framePixelsMax = 36_000_000;
const streamsMax = 8;

/** What ffprobe may open: everything else, playlists and references to other files, is no media file. */
const formatsOf = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "image/bmp": "bmp_pipe,image2",
} as const;
const codecs =
  "h264,hevc,vp8,vp9,libdav1d,aac,opus,mp3,mp3float,vorbis,pcm_s16le,pcm_s24le,pcm_u8,pcm_f32le,bmp";

/** Measures a local file; null when it is nothing that we know, or broken. */
export async function probeMedia(path: string): Promise<MediaFacts | null> {
  const kind = sniff(await readHead(path));
  if (kind === null) return null;
  if (kind.type === "IMAGE" && kind.contentType !== "image/bmp") return probePicture(path, kind);
  const report = await readReport(path, kind);
  if (report === null) return null;
  return kind.type === "AUDIO" ? factsOfSound(kind, report) : factsOfFrames(kind, report);
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Decodes it whole: a file cut short, or one that is something else inside, is no picture. */
async function probePicture(path: string, kind: Sniffed): Promise<MediaFacts | null> {
  try {
    const image = openPicture(path);
    const { format, width, height, orientation = 1, pages = 1 } = await image.metadata();
    if (`image/${format}` !== kind.contentType || pages > 1) return null;
    await image.stats();
    const isTurned = orientation >= 5;
    const sides = isTurned ? { width: height, height: width } : { width, height };
    return { ...kind, ...sides, durationMs: null, videoCodec: null, audioCodec: null };
  } catch {
    return null;
  }
}

const streamSchema = z.object({
  index: z.int(),
  codec_type: z.string(),
  codec_name: z.string().default("unknown"),
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  sample_aspect_ratio: z.string().optional(),
  disposition: z.object({ attached_pic: z.int().default(0) }).default({ attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
});
type Stream = z.output<typeof streamSchema>;

interface Report {
  streams: Stream[];
  durationMs: number;
}

/** One pass over the whole file: its streams, and the time of every packet. */
async function readReport(path: string, kind: Sniffed): Promise<Report | null> {
  const format = formatsOf[kind.contentType as keyof typeof formatsOf];
  const within: Confinement = {
    inputs: { media: path },
    ...{ msMax: probeMsMax, memoryBytesMax, fileBytesMax: 0, stdoutBytesMax: outputBytesMax },
  };
  const lists = ["-protocol_whitelist", "file", "-format_whitelist", format];
  const limits = ["-max_streams", String(streamsMax), "-max_pixels", String(framePixelsMax)];
  const what = ["-v", "error", "-of", "compact=p=0:nk=0", "-show_entries"];
  const entries =
    "packet=stream_index,pts_time,duration_time:stream=index,codec_type,codec_name,width,height,sample_aspect_ratio:stream_disposition=attached_pic:stream_side_data=rotation";
  const input = `file:${confinedPath(within, "in", "media")}`;
  const streams: Stream[] = [];
  const span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const result = await runConfined(
    "/usr/bin/ffprobe",
    [...what, entries, ...lists, "-codec_whitelist", codecs, ...limits, input],
    within,
    (line) => readLine(line, streams, span),
  );
  if (result.exitCode !== 0 || streams.length === 0) return null;
  return { streams, durationMs: Math.round((span.to - span.from) * 1000) };
}

function readLine(line: string, streams: Stream[], span: { from: number; to: number }): void {
  const fields = Object.fromEntries(
    line.split("|").map((field) => {
      const at = field.indexOf("=");
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
  if (fields["pts_time"] !== undefined) {
    const from = Number(fields["pts_time"]);
    const lasts = Number(fields["duration_time"]);
    if (!Number.isFinite(from)) return;
    span.from = Math.min(span.from, from);
    span.to = Math.max(span.to, from + (Number.isFinite(lasts) ? lasts : 0));
    return;
  }
  const number = (name: string) => (fields[name] === undefined ? undefined : Number(fields[name]));
  const rotation = number("side_datum/display_matrix:rotation") ?? number("rotation");
  const stream = streamSchema.safeParse({
    ...fields,
    index: number("index"),
    width: number("width"),
    height: number("height"),
    disposition: { attached_pic: number("disposition:attached_pic") ?? 0 },
    side_data_list: rotation === undefined ? [] : [{ rotation }],
  });
  if (stream.success) streams.push(stream.data);
}

function factsOfSound(kind: Sniffed, { streams, durationMs }: Report): MediaFacts | null {
  const sound = streams.find((stream) => stream.codec_type === "audio");
  if (sound === undefined || !(durationMs > 0)) return null;
  const audioCodec = sound.codec_name;
  return { ...kind, width: null, height: null, durationMs, videoCodec: null, audioCodec };
}

function factsOfFrames(kind: Sniffed, { streams, durationMs }: Report): MediaFacts | null {
  const video = streams.find(
    ({ codec_type, disposition }) => codec_type === "video" && disposition.attached_pic === 0,
  );
  if (video?.width === undefined || video.height === undefined) return null;
  const sound = streams.find((stream) => stream.codec_type === "audio");
  const isPicture = kind.type === "IMAGE";
  if (!isPicture && !(durationMs > 0)) return null;
  return {
    ...kind,
    ...shownSides(video, video.width, video.height),
    durationMs: isPicture ? null : durationMs,
    videoCodec: video.codec_name,
    audioCodec: sound?.codec_name ?? null,
  };
}

/** The sides on a screen: pixels made square, then turned. */
function shownSides(stream: Stream, width: number, height: number) {
  const [over, under] = (stream.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const aspect = over && under ? over / under : 1;
  const wide = Math.round(width * aspect);
  const turn = stream.side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
  return Math.abs(turn) % 180 === 90 ? { width: height, height: wide } : { width: wide, height };
}
