import type { Text } from "../../errors.ts";

/** The type of a file by its first bytes. Names and headers are ignored. */
export interface Sniffed {
  type: "IMAGE" | "VIDEO" | "AUDIO";
  contentType: string;
  extension: string;
}

const kinds = {
  png: { type: "IMAGE", contentType: "image/png", extension: "png" },
  jpeg: { type: "IMAGE", contentType: "image/jpeg", extension: "jpg" },
  webp: { type: "IMAGE", contentType: "image/webp", extension: "webp" },
  bmp: { type: "IMAGE", contentType: "image/bmp", extension: "bmp" },
  mp4: { type: "VIDEO", contentType: "video/mp4", extension: "mp4" },
  mov: { type: "VIDEO", contentType: "video/quicktime", extension: "mov" },
  webm: { type: "VIDEO", contentType: "video/webm", extension: "webm" },
  wav: { type: "AUDIO", contentType: "audio/wav", extension: "wav" },
  mp3: { type: "AUDIO", contentType: "audio/mpeg", extension: "mp3" },
} as const satisfies Record<string, Sniffed>;

/** The content types by file extension. */
export const contentTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(kinds).map(({ extension, contentType }) => [extension, contentType]),
);

/** The file extension of a content type. */
export function extensionOf(contentType: string): string {
  const kind = Object.values(kinds).find((known) => known.contentType === contentType);
  if (kind === undefined) throw new Error(`no file extension for ${contentType}`);
  return kind.extension;
}

/** Enough for the brands of an MP4. */
export const sniffBytes = 256;
/** Enough for the document type of a WebM. */
const webmHeadBytes = 64;

/** The document type in the head of a Matroska file: others of the family are no WebM. */
const webmName = "\x42\x82\x84webm";

export function sniff(head: Buffer): Sniffed | null {
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return kinds.png;
  if (text(0, 3) === "\xff\xd8\xff") return kinds.jpeg;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return kinds.webp;
  if (wavForms.includes(text(0, 4)) && text(8, 12) === "WAVE") return kinds.wav;
  if (text(0, 2) === "BM" && head.length >= 18) return kinds.bmp;
  if (text(0, 4) === "\x1aE\xdf\xa3")
    return text(4, webmHeadBytes).includes(webmName) ? kinds.webm : null;
  if (text(4, 8) === "ftyp") return kindOfBrands(brandsOf(head));
  if (["moov", "mdat", "wide", "free", "skip"].includes(text(4, 8))) return kinds.mov;
  if (text(0, 3) === "ID3") return kinds.mp3;
  return isMpegFrame(head) ? kinds.mp3 : null;
}

/** RF64 and BW64 are WAV beyond 4 GB. */
const wavForms: readonly string[] = ["RIFF", "RF64", "BW64"];

/** The brands of MP4 videos, as its registration authority and cameras write them. */
const videoBrands =
  /^(iso[m2-9a-c]|mp4[12]|mp71|mmp4|avc\d|hvc1|hev1|av01|vp09|dash|cmf[2cfls]|msdh|msix|M4V[ HP]|MSNV|3g[2gprs].|kddi|[fF]4[vV] |XAVC|CAEP|caqv|niko|pana|dby1|nvr\d|ND[SX].)$/;
const quickTimeBrand = "qt  ";
/** Brands of what is no video, although it is in the boxes of an MP4. */
const otherBrands: readonly { brands: RegExp; what: Text }[] = [
  { brands: /^(avif|avis|avio)$/, what: { en: "an AVIF image", zh: "AVIF 图片" } },
  { brands: /^(hei[cxms]|hev[cxms]|mif[12]|msf1)$/, what: { en: "a HEIC image", zh: "HEIC 图片" } },
  { brands: /^crx $/, what: { en: "a Canon raw image (CR3)", zh: "佳能 RAW 图片（CR3）" } },
  {
    brands: /^(jp2 |jpx |jpm |mjp2|mj2s)$/,
    what: { en: "a JPEG 2000 image", zh: "JPEG 2000 图片" },
  },
  { brands: /^jxl $/, what: { en: "a JPEG XL image", zh: "JPEG XL 图片" } },
  { brands: /^(M4A |M4B |M4P |F4A |F4B )$/, what: { en: "an M4A audio file", zh: "M4A 音频文件" } },
];

/** The brands of an MP4, the major one first. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString("latin1", at, at + 4));
  return brands;
}

function otherOf(brand: string | undefined) {
  return otherBrands.find(({ brands }) => brand !== undefined && brands.test(brand));
}

/** The major brand decides; one that nobody knows is a video if it is compatible with one. */
function kindOfBrands([major, ...compatible]: string[]): Sniffed | null {
  if (otherOf(major) !== undefined || major === undefined) return null;
  if (major === quickTimeBrand) return kinds.mov;
  if (videoBrands.test(major)) return kinds.mp4;
  if (compatible.some((brand) => videoBrands.test(brand))) return kinds.mp4;
  return compatible.includes(quickTimeBrand) ? kinds.mov : null;
}

/** The first bytes of files that people send and that are not supported. */
const unsupported: readonly { starts: readonly string[]; at?: number; what: Text }[] = [
  { starts: ["GIF8"], what: { en: "a GIF image", zh: "GIF 图片" } },
  { starts: ["II*\0", "MM\0*"], what: { en: "a TIFF image", zh: "TIFF 图片" } },
  { starts: ["jP  "], at: 4, what: { en: "a JPEG 2000 image", zh: "JPEG 2000 图片" } },
  { starts: ["JXL "], at: 4, what: { en: "a JPEG XL image", zh: "JPEG XL 图片" } },
  { starts: ["OggS"], what: { en: "an Ogg file", zh: "Ogg 文件" } },
  { starts: ["fLaC"], what: { en: "a FLAC audio file", zh: "FLAC 音频文件" } },
  {
    starts: ["\xff\xf0", "\xff\xf1", "\xff\xf8", "\xff\xf9"],
    what: { en: "an AAC audio file", zh: "AAC 音频文件" },
  },
  { starts: ["AVI "], at: 8, what: { en: "an AVI video", zh: "AVI 视频" } },
  { starts: ["FLV\x01"], what: { en: "a Flash video", zh: "Flash 视频" } },
  { starts: ["\x30\x26\xb2\x75"], what: { en: "a Windows Media file", zh: "Windows Media 文件" } },
  {
    starts: ["\x1aE\xdf\xa3"],
    what: { en: "a Matroska video that is not WebM", zh: "非 WebM 的 Matroska 视频" },
  },
  { starts: ["\0\0\x01\xba"], what: { en: "an MPEG program stream", zh: "MPEG 节目流" } },
  { starts: ["%PDF-"], what: { en: "a PDF document", zh: "PDF 文档" } },
];

/** The predicates of sentences about files that `sniff` does not know. */
const unknown: Text = {
  en: "is not an image, video or audio file of a supported type",
  zh: "不是受支持类型的图片、视频或音频文件",
};
export const unknownFileTexts: readonly Text[] = [
  unknown,
  ...[...otherBrands, ...unsupported].map(({ what }) => notSupported(what)),
];

/** The predicate of a sentence about a file that `sniff` does not know. */
export function reasonOfUnknown(head: Buffer): string {
  const text = head.toString("latin1");
  const isBoxed = head.length >= 12 && text.slice(4, 8) === "ftyp";
  const brands = isBoxed ? brandsOf(head) : [];
  const other = otherOf(brands[0]) ?? otherOf(brands.find((brand) => otherOf(brand)));
  const what =
    other?.what ??
    unsupported.find(({ starts, at = 0 }) => starts.some((start) => text.startsWith(start, at)))
      ?.what;
  return (what === undefined ? unknown : notSupported(what)).en;
}

function notSupported(what: Text): Text {
  const instead = insteadOf(what.en);
  return {
    en: `is ${what.en}, which is not supported; send ${instead.join(", ").replace(/, (?=[^,]+$)/, " or ")}`,
    zh: `是 ${what.zh}，不受支持；请发送 ${instead.join("、").replace(/、(?=[^、]+$)/, " 或 ")}`,
  };
}

function insteadOf(what: string): string[] {
  if (/image/.test(what)) return ["JPEG", "PNG", "WebP"];
  return /audio|Ogg/.test(what) ? ["WAV", "MP3"] : ["MP4", "MOV", "WebM"];
}

/** The header of a frame of MPEG audio, layer III. */
function isMpegFrame(head: Buffer): boolean {
  if (head.length < 4) return false;
  const [first, second, third] = [head.readUInt8(0), head.readUInt8(1), head.readUInt8(2)];
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return isLayer3 && third >> 4 !== 0x0f && ((third >> 2) & 3) !== 3;
}
