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

/** By file extension. */
export const contentTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(kinds).map(({ extension, contentType }) => [extension, contentType]),
);

/** The file extension of a content type. */
export function extensionOf(contentType: string): string {
  const kind = Object.values(kinds).find((each) => each.contentType === contentType);
  if (kind === undefined) throw new Error(`no file extension for ${contentType}`);
  return kind.extension;
}

export const sniffBytes = 64;

/** The document type in the head of a Matroska file: others of the family are no WebM. */
const webmName = "\x42\x82\x84webm";

export function sniff(head: Buffer): Sniffed | null {
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return kinds.png;
  if (text(0, 3) === "\xff\xd8\xff") return kinds.jpeg;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return kinds.webp;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WAVE") return kinds.wav;
  if (text(0, 2) === "BM" && head.length >= 18) return kinds.bmp;
  if (text(0, 4) === "\x1aE\xdf\xa3")
    return text(4, sniffBytes).includes(webmName) ? kinds.webm : null;
  if (text(4, 8) === "ftyp") return text(8, 10) === "qt" ? kinds.mov : kinds.mp4;
  if (["moov", "mdat", "wide", "free", "skip"].includes(text(4, 8))) return kinds.mov;
  if (text(0, 3) === "ID3") return kinds.mp3;
  return isMpegFrame(head) ? kinds.mp3 : null;
}

/** The header of a frame of MPEG audio, layer III. */
function isMpegFrame(head: Buffer): boolean {
  if (head.length < 4) return false;
  const [first, second, third] = [head.readUInt8(0), head.readUInt8(1), head.readUInt8(2)];
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return isLayer3 && third >> 4 !== 0x0f && ((third >> 2) & 3) !== 3;
}
