import { open } from "node:fs/promises";
import { z } from "zod";
import { decodeImage, openImage } from "../image/open-image.ts";
import { isAnimatedPng } from "./animated-png.ts";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { addPacket, endOf, type Span } from "./packet-span.ts";
import { type Sniffed, sniff, sniffBytes } from "./sniff.ts";
import { pointsElsewhere } from "./video-boxes.ts";

/** The facts of a file, measured from its bytes. */
export interface MediaFacts extends Sniffed {
  /** As displayed: rotated and with square pixels. `null` for audio. */
  width: number | null;
  height: number | null;
  /** From the first to the end of the last packet, whatever the header says. `null` for an image. */
  durationMs: number | null;
  videoCodec: string | null;
  audioCodec: string | null;
}

const probeMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const outputBytesMax = 32 * 1024 * 1024; // a line per packet
const framePixelsMax = 36_000_000;
const streamsMax = 8;
const sidePixelsMax = 32_768;
const durationMsMax = 24 * 60 * 60 * 1000;
/** Of audio: the padding that encoders add before and after it. */
const paddingSecondsMax = 0.1;
const paddingSamplesMax = 4_096;
const packetsOfPaddingMax = 8;
/** ffprobe's messages for a truncated or damaged file; it reports what is left as if it were complete. */
const endsEarly =
  /partial file|ended prematurely|exceeds containing master element|invalid as first byte of an EBML/;

/** The demuxers that ffmpeg may use: playlists and references to other files are not media files. */
const formatsOf = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "image/bmp": "bmp_pipe,image2",
} as const;
const frameDecoders = "h264,hevc,vp8,vp9,libdav1d,prores,dnxhd,mpeg4,mjpeg,bmp";
const audioDecoders =
  "aac,opus,mp3,mp3float,vorbis,alac,ac3,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be";
/** Cover images and subtitles are accepted, and count as neither video nor audio. */
const codecs = `${frameDecoders},${audioDecoders},png,mov_text`;
const frameCodecs = [
  ...["h264", "hevc", "vp8", "vp9", "av1", "prores", "dnxhd", "mpeg4", "mjpeg", "bmp"],
];

/** Options with which ffprobe and ffmpeg read an untrusted file, and nothing that it refers to. */
export function readingOptions(contentType: string): string[] {
  const format = formatsOf[contentType as keyof typeof formatsOf];
  const lists = ["-protocol_whitelist", "file", "-format_whitelist", format];
  const limits = ["-max_streams", String(streamsMax), "-max_pixels", String(framePixelsMax)];
  return [...lists, "-codec_whitelist", codecs, ...limits];
}

/** Probes a local file; null if it is not a supported type or is damaged. */
export async function probeMedia(path: string): Promise<MediaFacts | null> {
  const kind = sniff(await readHead(path));
  if (kind === null) return null;
  if (kind.type === "IMAGE" && kind.contentType !== "image/bmp") return probeImage(path, kind);
  if (
    formatsOf[kind.contentType as keyof typeof formatsOf] === "mov" &&
    (await pointsElsewhere(path))
  )
    return null;
  const report = await readReport(path, kind);
  if (report === null) return null;
  return kind.type === "AUDIO" ? factsOfAudio(kind, report) : factsOfFrames(kind, report);
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Decodes it completely: a truncated file, or one with other content, is not an image. */
async function probeImage(path: string, kind: Sniffed): Promise<MediaFacts | null> {
  try {
    const { format, width, height, orientation = 1, pages = 1 } = await openImage(path).metadata();
    if (`image/${format}` !== kind.contentType || pages > 1) return null;
    if (format === "png" && (await isAnimatedPng(path))) return null;
    await decodeImage(path);
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
  sample_rate: z.number().positive().optional(),
  /** How many packets the file's index lists. */
  nb_frames: z.int().optional(),
  nb_read_frames: z.int().optional(),
  isAttached: z.boolean(),
  rotation: z.number().optional(),
});
type Stream = z.output<typeof streamSchema>;

interface Report {
  streams: Stream[];
  durationMs: number;
}

/** One pass over the whole file: its streams, and the time of every packet. */
async function readReport(path: string, kind: Sniffed): Promise<Report | null> {
  const shown = await readPackets(path, kind, []);
  if (shown === null) return null;
  const isHiding = shown.streams.some((stream) => isHidden(stream, shown.spans.get(stream.index)));
  // A video may show less than it contains. What it contains counts: that is what a vendor gets.
  const whole = isHiding ? await readPackets(path, kind, ["-ignore_editlist", "1"]) : shown;
  if (whole === null) return null;
  return { streams: shown.streams, durationMs: lengthOf(whole.streams, whole.spans) };
}

function isHidden({ codec_type, nb_frames = 0 }: Stream, span: Span | undefined): boolean {
  const packetsHiddenMax = codec_type === "video" ? 0 : packetsOfPaddingMax;
  return nb_frames - (span?.packets ?? 0) > packetsHiddenMax;
}

function lengthOf(streams: Stream[], spans: ReadonlyMap<number, Span>): number {
  const all = streams.flatMap((stream) => {
    const span = spans.get(stream.index);
    if (span === undefined) return [];
    return [{ ...withoutPadding(stream, { ...span, to: endOf(span) }), ...kindOf(stream) }];
  });
  const seen = joined(all.filter(({ isImage }) => isImage));
  const whole = joined(all);
  // Audio slightly longer than the video is padding too: a video of 15 s has 15 s.
  const from = seen.from - whole.from < paddingSecondsMax ? seen.from : whole.from;
  const to = whole.to - seen.to < paddingSecondsMax ? seen.to : whole.to;
  return Math.round(1000 * (to - from));
}

function kindOf({ codec_type, isAttached }: Stream) {
  return { isImage: codec_type === "video" && !isAttached };
}

function joined(spans: readonly { from: number; to: number }[]) {
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
}

/** Audio encoders add a little silence at both ends, which players skip. */
function withoutPadding({ codec_type, sample_rate }: Stream, span: Span) {
  if (codec_type !== "audio" || sample_rate === undefined) return span;
  const bounded = (samples: number) => Math.min(samples, paddingSamplesMax) / sample_rate;
  const from = span.from + bounded(span.samplesBefore);
  const isLead = from < 0 && from > -paddingSecondsMax;
  return { from: isLead ? 0 : from, to: span.to - bounded(span.samplesAfter) };
}

async function readPackets(path: string, kind: Sniffed, options: string[]) {
  const within: Confinement = {
    inputs: { media: path },
    ...{ msMax: probeMsMax, memoryBytesMax, fileBytesMax: 0, stdoutBytesMax: outputBytesMax },
  };
  const counted = kind.type === "IMAGE" ? ["-count_frames"] : []; // decodes it, too
  const what = ["-v", "error", ...counted, "-of", "compact=p=0:nk=0", "-show_entries"];
  const entries =
    "packet=stream_index,pts_time,duration_time:packet_side_data=skip_samples,discard_padding:stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,sample_rate,nb_frames,nb_read_frames:stream_disposition=attached_pic:stream_side_data=rotation";
  const input = `file:${confinedPath(within, "in", "media")}`;
  const streams: Stream[] = [];
  const spans = new Map<number, Span>();
  const { exitCode, complaint } = await runConfined(
    "/usr/bin/ffprobe",
    [...what, entries, ...readingOptions(kind.contentType), ...options, input],
    within,
    (line) => readLine(line, streams, spans),
  );
  if (exitCode !== 0 || streams.length === 0 || endsEarly.test(complaint)) return null;
  return { streams, spans };
}

function readLine(line: string, streams: Stream[], spans: Map<number, Span>): void {
  const fields = Object.fromEntries(
    line.split("|").map((field) => {
      const at = field.indexOf("=");
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
  const number = (name: string) => {
    const value = Number(fields[name] ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const packetOf = number("stream_index");
  if (packetOf !== undefined) {
    addPacket(spans, packetOf, number);
    return;
  }
  const stream = streamSchema.safeParse({
    ...fields,
    index: number("index"),
    width: number("width"),
    height: number("height"),
    sample_rate: number("sample_rate"),
    nb_frames: number("nb_frames"),
    nb_read_frames: number("nb_read_frames"),
    isAttached: number("disposition:attached_pic") === 1,
    rotation: number("side_datum/display_matrix:rotation") ?? number("rotation"),
  });
  if (stream.success) streams.push(stream.data);
}

function factsOfAudio(kind: Sniffed, { streams, durationMs }: Report): MediaFacts | null {
  const audio = streams.find((stream) => stream.codec_type === "audio");
  if (audio === undefined || !isLength(durationMs)) return null;
  const audioCodec = audio.codec_name;
  return { ...kind, width: null, height: null, durationMs, videoCodec: null, audioCodec };
}

function factsOfFrames(kind: Sniffed, { streams, durationMs }: Report): MediaFacts | null {
  const video = streams.find((stream) => kindOf(stream).isImage);
  if (video?.width === undefined || video.height === undefined) return null;
  if (!frameCodecs.includes(video.codec_name)) return null;
  const sides = shownSides(video, video.width, video.height);
  if (Math.min(...Object.values(sides)) < 1) return null;
  if (Math.max(...Object.values(sides)) > sidePixelsMax) return null;
  const isImage = kind.type === "IMAGE";
  if (isImage ? video.nb_read_frames !== 1 : !isLength(durationMs)) return null;
  const audio = streams.find((stream) => stream.codec_type === "audio");
  return {
    ...kind,
    ...sides,
    durationMs: isImage ? null : durationMs,
    videoCodec: video.codec_name,
    audioCodec: audio?.codec_name ?? null,
  };
}

function isLength(durationMs: number): boolean {
  return durationMs > 0 && durationMs <= durationMsMax;
}

/** The sides on a screen: pixels made square, then turned. */
function shownSides(stream: Stream, width: number, height: number) {
  const [over, under] = (stream.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const aspect = over && under ? over / under : 1;
  const wide = Math.round(width * aspect);
  const turn = stream.rotation ?? 0;
  return Math.abs(turn) % 180 === 90 ? { width: height, height: wide } : { width: wide, height };
}
