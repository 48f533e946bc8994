import { open, stat } from "node:fs/promises";
import { sniff, sniffBytes } from "../probe/sniff.ts";
import { decode, ImageError } from "./decode.ts";

/** An image in one of the three formats that every image vendor accepts. */
export type Image = ({ kind: "bytes"; bytes: Buffer } | { kind: "file"; path: string }) & {
  contentType: (typeof contentTypes)[number];
};

/** The reason why there is no image, in plain words for operators. */
export type ImageFault = { kind: "fault"; fault: string };

const contentTypes = ["image/png", "image/jpeg", "image/webp"] as const;

/**
 * Returns an image of at most `sizeBytesMax`, from bytes or a local file: the file itself where it fits,
 * otherwise encoded again and, if necessary, smaller. The type is determined from the file's bytes.
 */
export async function fitImage(
  file: Buffer | string,
  sizeBytesMax: number,
): Promise<Image | ImageFault> {
  const { head, sizeBytes } = await look(file);
  const contentType = contentTypes.find((type) => type === sniff(head)?.contentType);
  if (contentType === undefined) return { kind: "fault", fault: "is no PNG, JPEG or WebP" };
  if (sizeBytes <= sizeBytesMax)
    return typeof file === "string"
      ? { kind: "file", path: file, contentType }
      : { kind: "bytes", bytes: file, contentType };
  try {
    const { facts, parts } = await decode({ kind: "fit", sizeBytesMax }, file);
    const [bytes = Buffer.alloc(0)] = parts;
    return { kind: "bytes", bytes, contentType: facts.contentType };
  } catch (error) {
    if (error instanceof ImageError) return { kind: "fault", fault: error.message };
    throw error;
  }
}

async function look(file: Buffer | string): Promise<{ head: Buffer; sizeBytes: number }> {
  if (typeof file !== "string")
    return { head: file.subarray(0, sniffBytes), sizeBytes: file.length };
  await using opened = await open(file);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  return { head: buffer.subarray(0, bytesRead), sizeBytes: (await stat(file)).size };
}

/** A small image with a short side of so many pixels, as PNG. The long side is never rounded up. */
export async function upscaleImage(bytes: Buffer, shortSide: number): Promise<Buffer> {
  const { parts } = await decode({ kind: "scaleUp", shortSide }, bytes);
  return parts[0] ?? Buffer.alloc(0);
}
