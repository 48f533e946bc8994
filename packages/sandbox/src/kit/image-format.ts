export const imageFormats = ["png", "jpeg", "webp"] as const;

export type ImageFormat = (typeof imageFormats)[number];

/** Returns the format of the bytes, whatever their sender calls them. */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  if (bytes.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n") return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  const isRiff = bytes.subarray(0, 4).toString("latin1") === "RIFF";
  return isRiff && bytes.subarray(8, 12).toString("latin1") === "WEBP" ? "webp" : undefined;
}
