/** A clip is taken for its image alone, a video with its audio. */
export type MediaKind = "image" | "clip" | "video" | "audio";

/**
 * A file format, recognized by the file's first bytes, with the one demuxer and the decoders that
 * may touch it.
 */
interface MediaFormat {
  kind: MediaKind;
  demuxer: string;
  decoders: string;
  /** The bytes it begins with, as Latin-1; a dot stands for any byte. */
  magic: RegExp;
}

const formats: readonly MediaFormat[] = [
  { kind: "image", demuxer: "png_pipe", decoders: "png", magic: /^\x89PNG\r\n/ },
  { kind: "image", demuxer: "jpeg_pipe", decoders: "mjpeg", magic: /^\xff\xd8\xff/ },
  { kind: "image", demuxer: "webp_pipe", decoders: "webp", magic: /^RIFF.{4}WEBP/s },
  { kind: "image", demuxer: "gif", decoders: "gif", magic: /^GIF8[79]a/ },
  { kind: "image", demuxer: "bmp_pipe", decoders: "bmp", magic: /^BM/ },
  { kind: "image", demuxer: "tiff_pipe", decoders: "tiff", magic: /^(II\*\0|MM\0\*)/ },
  { kind: "clip", demuxer: "mov", decoders: "h264,hevc", magic: /^.{4}(ftyp|moov|mdat|wide)/s },
  {
    kind: "video",
    demuxer: "mov",
    decoders: "h264,hevc,aac,mp3float,pcm_s16le",
    magic: /^.{4}(ftyp|moov|mdat|wide)/s,
  },
  {
    kind: "video",
    demuxer: "matroska",
    decoders: "vp8,vp9,libdav1d,opus,vorbis",
    magic: /^.E\xdf\xa3/s,
  },
  {
    kind: "audio",
    demuxer: "wav",
    decoders: "pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le",
    magic: /^RIFF.{4}WAVE/s,
  },
  { kind: "audio", demuxer: "mp3", decoders: "mp3float", magic: /^(ID3|\xff[\xe2-\xff])/ },
];

const magicBytes = 16;
/** The pixels of the largest image that a vendor takes, with room to spare. */
const pixelsMax = 100_000_000;

/**
 * Returns the arguments with which ffmpeg and ffprobe read untrusted bytes, as the file `input` in
 * their folder: one demuxer, its decoders, no protocol but file, and a bound on the pixels.
 * Undefined when the bytes are of no such kind.
 */
export function untrustedInput(kind: MediaKind, bytes: Buffer): string[] | undefined {
  const head = bytes.subarray(0, magicBytes).toString("latin1");
  const format = formats.find((each) => each.kind === kind && each.magic.test(head));
  if (!format) return undefined;
  return [
    "-protocol_whitelist",
    "file",
    "-format_whitelist",
    format.demuxer,
    "-codec_whitelist",
    format.decoders,
    "-max_pixels",
    String(pixelsMax),
    "-f",
    format.demuxer,
    "-i",
    "input",
  ];
}
