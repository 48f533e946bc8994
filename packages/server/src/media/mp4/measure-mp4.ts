import { framePixelsMax } from "../probe/codecs.ts";
import type { MediaFacts } from "../probe/probe.ts";
import { boxesIn, required } from "./boxes.ts";
import type { CodecFacts } from "./codec.ts";
import { type FileBoxes, readFileBoxes } from "./file-boxes.ts";
import { readImageEntry, requireAac } from "./sample-entry.ts";
import { requireSamplesIn } from "./sample-table.ts";
import { lastingMs, requireQuietAudio, spanOf } from "./span.ts";
import { readMovieHeader, readTrack, type Track } from "./track.ts";
import { Unusual, unless } from "./unusual.ts";

const brands: readonly string[] = [
  "isom",
  "iso2",
  "iso4",
  "iso5",
  "iso6",
  "mp41",
  "mp42",
  "avc1",
  "M4V ",
];
const tracksMax = 2;
const unitsBeforeImageMax = 16;

export type Measured =
  | { kind: "measured"; facts: MediaFacts }
  /** The file has an unusual form: ffprobe has to measure it. */
  | { kind: "unusual"; reason: string };

/**
 * Measures the video of a vendor from its bytes as they pass by: MP4 with H.264 or HEVC and at most one
 * track of AAC. The result is what `probeMedia` finds, to the pixel and the millisecond, or there is none.
 * Only for bytes from a vendor: files of strangers are opened by confined programs alone.
 */
export function measureMp4(): { push(chunk: Buffer): void; end(): Measured } {
  const boxes = readFileBoxes();
  let reason: string | null = null;
  const attempt = <Result>(work: () => Result): Result | null => {
    try {
      return reason === null ? work() : null;
    } catch (error) {
      if (!(error instanceof Unusual || error instanceof RangeError)) throw error;
      reason = error.message;
      return null;
    }
  };
  return {
    push: (chunk) => void attempt(() => boxes.push(chunk)),
    end() {
      const facts = attempt(() => factsOf(boxes.end()));
      return facts === null
        ? { kind: "unusual", reason: reason ?? "unknown" }
        : { kind: "measured", facts };
    },
  };
}

function factsOf({ ftyp, moov, mdat }: FileBoxes): MediaFacts {
  unless(brands.includes(ftyp.toString("latin1", 0, 4)), "another brand");
  const boxes = boxesIn(moov, ["mvhd", "iods", "trak", "udta", "meta"], "trak");
  for (const name of ["udta", "meta"] as const)
    unless(!boxes.get(name)?.[0]?.includes("covr"), "a cover image");
  const timescale = readMovieHeader(required(boxes, "mvhd"));
  const traks = boxes.get("trak") ?? [];
  unless(traks.length <= tracksMax, "several tracks");
  const tracks = traks.map((trak) => readTrack(trak, timescale));
  const [video, ...otherVideos] = tracks.filter(({ handler }) => handler === "vide");
  const [audio, ...otherAudios] = tracks.filter(({ handler }) => handler === "soun");
  const others = tracks.length - (audio === undefined ? 1 : 2);
  unless(video !== undefined && others === 0, "not one video with at most one audio");
  unless(otherVideos.length + otherAudios.length === 0, "several tracks");
  const codec = readVideo(video, mdat);
  const span = spanOf(video, codec);
  if (audio !== undefined) {
    requireAac(required(audio.table, "stsd"));
    requireSamplesIn(audio.table, mdat);
    requireQuietAudio(audio, span);
  }
  return {
    type: "VIDEO",
    contentType: "video/mp4",
    extension: "mp4",
    width: codec.width,
    height: codec.height,
    durationMs: lastingMs(span),
    frames: video.times.samples,
    videoCodec: codec.name,
    audioCodec: audio === undefined ? null : "aac",
  };
}

function readVideo(video: Track, mdat: FileBoxes["mdat"]): CodecFacts {
  const codec = readImageEntry(required(video.table, "stsd"));
  const { width, height } = codec;
  unless(width > 1 && height > 1 && width * height <= framePixelsMax, "unusual sides");
  unless(video.width === width && video.height === height, "scaled");
  const first = requireSamplesIn(video.table, mdat);
  requireSameParameters(codec, mdat.head.subarray(first - mdat.from));
  return codec;
}

/** Requires that parameter sets in the first frame, which override those of the index, are the same. */
function requireSameParameters(codec: CodecFacts, frame: Buffer): void {
  const { lengthBytes } = codec;
  for (let at = 0, units = 0; ; units++) {
    unless(units < unitsBeforeImageMax && at + lengthBytes < frame.length, "no first frame");
    const end = at + lengthBytes + frame.readUIntBE(at, lengthBytes);
    const unit = frame.subarray(at + lengthBytes, end);
    unless(unit.length > 0, "no first frame");
    const header = unit.readUInt8(0);
    const [type, firstParameters, lastParameters] =
      codec.name === "h264" ? [header & 0x1f, 7, 7] : [(header >> 1) & 0x3f, 32, 33];
    if (codec.name === "h264" ? type >= 1 && type <= 5 : type < 32) return;
    if (type >= firstParameters && type <= lastParameters)
      unless(
        codec.parameterSets.some((set) => set.equals(unit)),
        "other parameters in the first frame",
      );
    at = end;
  }
}
