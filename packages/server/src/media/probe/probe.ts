import { open } from "node:fs/promises";
import { z } from "zod";
import { decode, ImageError } from "../image/decode.ts";
import { chunksMax, isAnimatedPng } from "./animated-png.ts";
import {
  decoders,
  frameCodecs,
  framePixelsMax,
  imagePixelsMax,
  nameOfCodec,
  soundCodecs,
  tracksMax,
} from "./codecs.ts";
import { type Confinement, confinedPath, runConfined } from "./confine.ts";
import { addPacket, endOf, movedTo, type Span } from "./packet-span.ts";
import { reasonOfUnknown, type Sniffed, sniff, sniffBytes } from "./sniff.ts";
import { faultOfBoxes } from "./video-boxes.ts";

/** The facts of a file, measured from its bytes. */
export interface MediaFacts extends Sniffed {
  /** The displayed width: rotated and with square pixels. `null` for audio. */
  width: number | null;
  height: number | null;
  /**
   * The duration from the first to the end of the last packet, whatever the header says. `null` for an
   * image.
   */
  durationMs: number | null;
  /** The number of frames of a video; `null` for anything else. */
  frames: number | null;
  videoCodec: string | null;
  audioCodec: string | null;
}

const probeMsMax = 60_000;
const memoryBytesMax = 1024 * 1024 * 1024;
const outputBytesMax = 40 * 1024 * 1024; // a line per packet
const sidePixelsMax = 32_768;
const durationMsMax = 24 * 60 * 60 * 1000;
/** The maximum padding that audio encoders add before and after the audio. */
const paddingSecondsMax = 0.1;
const paddingSamplesMax = 4_096;
const packetsOfPaddingMax = 8;
/** Codecs whose index may list samples, of which a packet has many. */
const oneSampleAFrame = /^(pcm|adpcm)_/;
/** ffprobe's messages for a truncated or damaged file; it reports what is left as if it were complete. */
const endsEarly =
  /partial file|ended prematurely|exceeds containing master element|first byte of an EBML|EBML number's first byte|Unknown-sized element/;

/** The demuxers that ffmpeg may use: playlists and references to other files are not media files. */
const formatsOf = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "image/bmp": "bmp_pipe,image2",
} as const;

/** Options with which ffprobe and ffmpeg read an untrusted file, and nothing that it refers to. */
export function readingOptions(contentType: string): string[] {
  const format = formatsOf[contentType as keyof typeof formatsOf];
  const lists = ["-protocol_whitelist", "file", "-format_whitelist", format];
  const limits = ["-max_streams", String(tracksMax), "-max_pixels", String(framePixelsMax)];
  return [...lists, "-codec_whitelist", decoders.join(","), ...limits];
}

/**
 * The result of a probe. `reason` is the predicate of a sentence about the file, such as "has the codec
 * DTS (dca), which is not supported".
 */
export type Probe =
  | { kind: "facts"; facts: MediaFacts }
  | { kind: "refused"; reason: string }
  | { kind: "damaged" };

type NoFacts = Exclude<Probe, { kind: "facts" }>;

const noTracks = { durationMs: null, frames: null, videoCodec: null, audioCodec: null };

const damaged: NoFacts = { kind: "damaged" };

function refused(reason: string): NoFacts {
  return { kind: "refused", reason };
}

const animated = refused("is animated; send a single image");

/** The predicate of a sentence about a file that has no facts. */
export function faultOfProbe(probe: NoFacts): string {
  return probe.kind === "refused" ? probe.reason : "is damaged";
}

/** Probes a local file of a customer. */
export async function probeFile(path: string): Promise<Probe> {
  const head = await readHead(path);
  const kind = sniff(head);
  if (kind === null) return refused(reasonOfUnknown(head));
  if (kind.type === "IMAGE" && kind.contentType !== "image/bmp") return probeImage(path, kind);
  const isMov = formatsOf[kind.contentType as keyof typeof formatsOf] === "mov";
  const fault = isMov ? await faultOfBoxes(path) : null;
  if (fault !== null) return refused(fault);
  const report = await readReport(path, kind);
  if (report.kind !== "read") return report;
  return kind.type === "AUDIO" ? factsOfAudio(kind, report) : factsOfFrames(kind, report);
}

/** Probes a local file of our own or of a vendor; null if it has no facts, whatever the reason. */
export async function probeMedia(path: string): Promise<MediaFacts | null> {
  const probe = await probeFile(path);
  return probe.kind === "facts" ? probe.facts : null;
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Decodes it completely: a truncated file, or one with other content, is not an image. */
async function probeImage(path: string, kind: Sniffed): Promise<Probe> {
  const isAnimated = kind.contentType === "image/png" && (await isAnimatedPng(path));
  if (isAnimated === null) return refused(`has more than ${chunksMax} chunks before its pixels`);
  if (isAnimated) return animated;
  try {
    const { contentType, pages, ...sides } = (await decode({ kind: "measure" }, path)).facts;
    if (contentType !== kind.contentType) return damaged;
    if (pages > 1) return animated;
    const facts = { ...kind, ...sides, ...noTracks };
    return { kind: "facts", facts };
  } catch (error) {
    if (error instanceof ImageError) return faultOfImage(error);
    throw error; // of this machine: it says nothing about the file
  }
}

/** libvips's message for an image with more pixels than it may read; anything else is damage. */
function faultOfImage({ message }: ImageError): NoFacts {
  return message.includes("exceeds pixel limit")
    ? refused(`has more than ${imagePixelsMax / 1_000_000} megapixels`)
    : damaged;
}

/** ffprobe's name of a codec that it does not know. */
const unknownCodec = "unknown";

const streamSchema = z.object({
  index: z.int(),
  codec_type: z.string(),
  codec_name: z.string().default(unknownCodec),
  codec_tag_string: z.string().default(""),
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  sample_aspect_ratio: z.string().optional(),
  sample_rate: z.number().positive().optional(),
  /** The number of frames in the file's index: these are packets, but see `oneSampleAFrame`. */
  nb_frames: z.int().optional(),
  nb_read_frames: z.int().optional(),
  isAttached: z.boolean(),
  rotation: z.number().optional(),
});
type Stream = z.output<typeof streamSchema>;

interface Report {
  kind: "read";
  streams: Stream[];
  durationMs: number;
  /** The number of packets shown of each stream. */
  shown: ReadonlyMap<number, number>;
}

/** One pass over the whole file: its streams, and the time of every packet. */
async function readReport(path: string, kind: Sniffed): Promise<Report | NoFacts> {
  const shown = await readPackets(path, kind, []);
  if (shown.kind !== "packets") return shown;
  const hiding = shown.streams.filter((stream) => isHidden(stream, shown.spans.get(stream.index)));
  if (hiding.length === 0) return reportOf(shown, shown.spans);
  // A video may show less than it contains. What it contains counts: that is what a vendor gets.
  const whole = await readPackets(path, kind, ["-ignore_editlist", "1"]);
  if (whole.kind !== "packets") return whole;
  const spans = new Map(shown.spans);
  for (const { index } of hiding) {
    const span = whole.spans.get(index);
    if (span !== undefined) spans.set(index, startingWith(span, shown.spans.get(index)));
  }
  return reportOf(shown, spans);
}

function reportOf({ streams, spans: shownSpans }: Packets, spans: Packets["spans"]): Report {
  const shown = new Map([...shownSpans].map(([index, { packetsShown }]) => [index, packetsShown]));
  return { kind: "read", streams, durationMs: lengthOf(streams, spans), shown };
}

/**
 * Returns the span with the beginning of the shown one. Without the edit list a stream begins at another
 * time.
 */
function startingWith(span: Span, shown: Span | undefined): Span {
  return shown !== undefined && Number.isFinite(shown.from) ? movedTo(span, shown.from) : span;
}

function isHidden(stream: Stream, span: Span | undefined): boolean {
  const { codec_type, nb_frames = 0 } = stream;
  if (codec_type === "audio" && oneSampleAFrame.test(stream.codec_name)) {
    const samples = (span?.seconds ?? 0) * (stream.sample_rate ?? 0);
    return nb_frames - Math.max(samples, span?.packets ?? 0) > paddingSamplesMax;
  }
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

interface Packets {
  kind: "packets";
  streams: Stream[];
  spans: ReadonlyMap<number, Span>;
}

async function readPackets(
  path: string,
  kind: Sniffed,
  options: string[],
): Promise<Packets | NoFacts> {
  const within: Confinement = {
    inputs: { media: path },
    msMax: probeMsMax,
    memoryBytesMax,
    fileBytesMax: 0,
    stdoutBytesMax: outputBytesMax,
  };
  const counted = kind.type === "IMAGE" ? ["-count_frames"] : []; // decodes it, too
  const what = ["-v", "error", ...counted, "-of", "compact=p=0:nk=0", "-show_entries"];
  const entries =
    "packet=stream_index,pts_time,duration_time,flags:packet_side_data=skip_samples,discard_padding:stream=index,codec_type,codec_name,codec_tag_string,width,height,sample_aspect_ratio,sample_rate,nb_frames,nb_read_frames:stream_disposition=attached_pic:stream_side_data=rotation";
  const input = `file:${confinedPath(within, "in", "media")}`;
  const streams: Stream[] = [];
  const spans = new Map<number, Span>();
  const { exitCode, complaint } = await runConfined(
    "/usr/bin/ffprobe",
    [...what, entries, ...readingOptions(kind.contentType), ...options, input],
    within,
    (line) => readLine(line, streams, spans),
  );
  if (exitCode !== 0 || streams.length === 0) return faultOfComplaint(complaint);
  if (endsEarly.test(complaint)) return damaged;
  return { kind: "packets", streams, spans };
}

/** ffprobe's messages for what it is not allowed to read; anything else is damage. */
function faultOfComplaint(complaint: string): NoFacts {
  const codec = /Codec \((\w+)\) not on whitelist/.exec(complaint)?.[1];
  if (codec !== undefined)
    return refused(`has the codec ${nameOfCodec(codec)}, which is not supported`);
  if (complaint.includes("exceeds max_streams"))
    return refused(`has more than ${tracksMax} tracks`);
  if (complaint.includes("exceeds specified max pixel count"))
    return refused(`has frames of more than ${framePixelsMax / 1_000_000} megapixels`);
  return damaged;
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
    const isShown = fields["flags"]?.includes("D") !== true;
    addPacket(spans, packetOf, number, isShown);
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

function factsOfAudio(kind: Sniffed, { streams, durationMs }: Report): Probe {
  const audio = streams.find((stream) => stream.codec_type === "audio");
  if (audio === undefined) return refused("has no audio track");
  const unheard = findUnheard(streams);
  if (unheard !== undefined) return refusedFor(unheard);
  if (!isLength(durationMs)) return damaged;
  const audioCodec = audio.codec_name;
  const facts = { ...kind, ...noTracks, width: null, height: null, durationMs, audioCodec };
  return { kind: "facts", facts };
}

function factsOfFrames(kind: Sniffed, { streams, durationMs, shown }: Report): Probe {
  const video = streams.find((stream) => kindOf(stream).isImage);
  if (video === undefined) return refused("has no video track");
  if (!frameCodecs.includes(video.codec_name)) return refusedFor(video);
  const unheard = findUnheard(streams);
  if (unheard !== undefined) return refusedFor(unheard);
  if (video.width === undefined || video.height === undefined) return damaged;
  const sides = shownSides(video, video.width, video.height);
  if (Math.min(...Object.values(sides)) < 1) return damaged;
  if (Math.max(...Object.values(sides)) > sidePixelsMax)
    return refused(`has a side of more than ${sidePixelsMax} pixels`);
  const isImage = kind.type === "IMAGE";
  if (isImage ? video.nb_read_frames !== 1 : !isLength(durationMs)) return damaged;
  const audio = streams.find((stream) => stream.codec_type === "audio");
  const facts = {
    ...kind,
    ...sides,
    durationMs: isImage ? null : durationMs,
    frames: isImage ? null : (shown.get(video.index) ?? null),
    videoCodec: video.codec_name,
    audioCodec: audio?.codec_name ?? null,
  };
  return { kind: "facts", facts };
}

/** An audio track that cannot be decoded: joining an upscale would fail after everything is rendered. */
function findUnheard(streams: readonly Stream[]): Stream | undefined {
  return streams.find(
    ({ codec_type, codec_name }) => codec_type === "audio" && !soundCodecs.includes(codec_name),
  );
}

/** A codec that ffprobe does not know is named by its code in the file. */
function refusedFor({ codec_name, codec_tag_string }: Stream): NoFacts {
  const name = codec_name === unknownCodec ? `'${codec_tag_string}'` : nameOfCodec(codec_name);
  return refused(`has the codec ${name}, which is not supported`);
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
