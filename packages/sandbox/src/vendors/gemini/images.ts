import { z } from "zod";
import { RefusalError } from "../../kit/image-answer.ts";
import { formatOf } from "../../kit/image-format.ts";
import { InputError } from "../../kit/input-error.ts";
import type { FetchInput } from "../../kit/inputs.ts";
import { geminiError, invalidArgument } from "./errors.ts";

const inlineBytesMax = 7 * 1024 * 1024;
const mimeType = z.enum(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]);
const base64Pattern = /^[A-Za-z0-9+/_-]+={0,2}$/;

export const inlineDataSchema = z.strictObject({
  mimeType,
  data: z.string().regex(base64Pattern, "Base64 decoding failed"),
});
export const fileDataSchema = z.strictObject({
  fileUri: z.string().min(1).max(4_096),
  mimeType: mimeType.optional(),
});

type Image =
  | { inlineData: z.output<typeof inlineDataSchema> }
  | { fileData: z.output<typeof fileDataSchema> };

/** Throws InputError and RefusalError. */
export function fetchImages(images: Image[], fetchInput: FetchInput): Promise<Buffer[]> {
  return Promise.all(images.map((image, at) => readImage(image, at, fetchInput)));
}

async function readImage(image: Image, at: number, fetchInput: FetchInput): Promise<Buffer> {
  const isInline = "inlineData" in image;
  const bytes = isInline
    ? decode(image.inlineData.data)
    : await fetchFile(image.fileData.fileUri, fetchInput);
  const type = isInline ? image.inlineData.mimeType : image.fileData.mimeType;
  if (type !== undefined && type !== `image/${formatOf(bytes)}`) {
    throw new InputError("input_unusable", `Image ${at + 1} is not what its type says.`);
  }
  return bytes;
}

function decode(data: string): Buffer {
  const bytes = Buffer.from(data, "base64");
  if (bytes.length <= inlineBytesMax) return bytes;
  const message = `Inline data exceeds the limit of ${inlineBytesMax} bytes per file.`;
  throw new RefusalError(invalidArgument(message, "contents"));
}

async function fetchFile(uri: string, fetchInput: FetchInput): Promise<Buffer> {
  if (/^https?:\/\//i.test(uri)) return await fetchInput(uri);
  const message = "You do not have permission to access the File or it may not exist.";
  throw new RefusalError(geminiError("PERMISSION_DENIED", message));
}
