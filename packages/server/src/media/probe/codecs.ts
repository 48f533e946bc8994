/**
 * The codecs that a confined ffmpeg decodes, and the bounds of a file. The only list: the probe, the
 * upscaler and the documents read it.
 */

interface Codec {
  /** For readers. */
  name: string;
  /** ffmpeg's names of the codec, and of its decoders where those differ. */
  codecs: readonly string[];
  decoders?: readonly string[];
}

export const tracksMax = 32;
/** The maximum number of pixels of an image, equal to the limit of the image decoder. */
export const imagePixelsMax = 100_000_000;
export const framePixelsMax = 36_000_000;

export const videoCodecs: readonly Codec[] = [
  { name: "H.264", codecs: ["h264"] },
  { name: "HEVC", codecs: ["hevc"] },
  { name: "VP8", codecs: ["vp8"] },
  { name: "VP9", codecs: ["vp9"] },
  { name: "AV1", codecs: ["av1"], decoders: ["libdav1d"] },
  { name: "ProRes", codecs: ["prores"] },
  { name: "DNxHD and DNxHR", codecs: ["dnxhd"] },
  { name: "MPEG-2", codecs: ["mpeg2video"] },
  { name: "MPEG-4 part 2", codecs: ["mpeg4"] },
  { name: "Motion JPEG", codecs: ["mjpeg"] },
];

export const audioCodecs: readonly Codec[] = [
  { name: "AAC", codecs: ["aac"] },
  { name: "MP3", codecs: ["mp3"], decoders: ["mp3", "mp3float"] },
  { name: "MP2", codecs: ["mp2"], decoders: ["mp2", "mp2float"] },
  { name: "Opus", codecs: ["opus"] },
  { name: "Vorbis", codecs: ["vorbis"] },
  { name: "FLAC", codecs: ["flac"] },
  { name: "ALAC", codecs: ["alac"] },
  { name: "AC-3", codecs: ["ac3"] },
  { name: "E-AC-3", codecs: ["eac3"] },
  { name: "DTS", codecs: ["dts"], decoders: ["dca"] },
  { name: "Dolby TrueHD", codecs: ["truehd"] },
  { name: "AMR", codecs: ["amr_nb", "amr_wb"], decoders: ["amrnb", "amrwb"] },
  { name: "A-law", codecs: ["pcm_alaw"] },
  { name: "μ-law", codecs: ["pcm_mulaw"] },
  {
    name: "ADPCM (Microsoft, IMA QuickTime and IMA WAV)",
    codecs: ["adpcm_ms", "adpcm_ima_qt", "adpcm_ima_wav"],
  },
  {
    name: "PCM (whole numbers of 8 to 32 bits, floating point of 32 and 64)",
    codecs: [
      "pcm_u8",
      "pcm_s8",
      "pcm_s16le",
      "pcm_s16be",
      "pcm_s24le",
      "pcm_s24be",
      "pcm_s32le",
      "pcm_s32be",
      "pcm_f32le",
      "pcm_f32be",
      "pcm_f64le",
      "pcm_f64be",
    ],
  },
];

/** Cover images and subtitles are accepted, and count as neither video nor audio. */
const passedOver: readonly string[] = [
  "png",
  "bmp",
  "mov_text",
  "webvtt",
  "subrip",
  "srt",
  "text",
  "ass",
  "ssa",
  "cc_dec",
  "dvdsub",
];

const namesOf = ({ codecs }: Codec) => codecs;
const decodersOf = ({ codecs, decoders }: Codec) => decoders ?? codecs;

/** ffmpeg refuses every decoder that is not among these. */
export const decoders: readonly string[] = [
  ...[...videoCodecs, ...audioCodecs].flatMap(decodersOf),
  ...passedOver,
];

/** The codecs of frames; BMP is read by ffmpeg, too. */
export const frameCodecs: readonly string[] = [...videoCodecs.flatMap(namesOf), "bmp"];

/** The codecs of audio. ffprobe also names codecs that it has no decoder for, which `decoders` cannot stop. */
export const soundCodecs: readonly string[] = audioCodecs.flatMap(namesOf);

/** Codecs that are not supported and that people know by another name than ffmpeg's. */
const knownNames: Readonly<Record<string, string>> = {
  nellymoser: "Nellymoser",
  gsm: "GSM",
  jpeg2000: "JPEG 2000",
  cfhd: "CineForm",
  qtrle: "QuickTime Animation",
  h263: "H.263",
  mpeg1video: "MPEG-1",
  rawvideo: "uncompressed video",
  v210: "uncompressed 10-bit video",
  theora: "Theora",
  vc1: "VC-1",
  mpegh_3d_audio: "MPEG-H 3D Audio",
};

/** A codec that is not supported, by the name that people know. */
export function nameOfCodec(codec: string): string {
  const name = knownNames[codec];
  return name === undefined ? codec : `${name} (${codec})`;
}
