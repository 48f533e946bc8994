import { z } from "zod";
import { RefusalError } from "../../kit/image-answer.ts";
import { formatOf } from "../../kit/image-format.ts";
import { InputError } from "../../kit/input-error.ts";
import type { FetchInput } from "../../kit/inputs.ts";
import { invalidRequest } from "./errors.ts";

const imagesMax = 16;
const imageBytesMax = 50 * 1024 * 1024;
const imageTypes = ["image/png", "image/jpeg", "image/webp"];
const urlPattern = /^(https?:\/\/\S+$|data:image\/(png|jpeg|webp);base64,)/i;

export const imagesSchema = z
  .array(
    z.strictObject({ image_url: z.string().regex(urlPattern, "expected a web address or data") }),
  )
  .min(1)
  .max(imagesMax);

interface Image {
  /** One of the two is there. */
  file?: File;
  image_url?: string;
}

/**
 * The `image[]` parts of a form. Throws RefusalError; without any, the vendor takes the call for one
 * to its oldest model.
 */
export function readImageParts(form: FormData): Image[] {
  const parts = form.getAll("image[]");
  if (parts.length === 0) {
    const message = "Invalid value: 'gpt-image-2'. Value must be 'dall-e-2'.";
    throw new RefusalError(invalidRequest("invalid_value", "model", message));
  }
  if (parts.length > imagesMax || form.has("image")) {
    const message = `Invalid 'image': array too long. Expected an array with maximum length ${imagesMax}.`;
    throw new RefusalError(invalidRequest("array_above_max_length", "image", message));
  }
  return parts.map((part) => ({ file: checkFile(part) }));
}

function checkFile(part: File | string): File {
  if (typeof part === "string") {
    const message = "Invalid type for 'image[]': expected a file, but got a string instead.";
    throw new RefusalError(invalidRequest("invalid_type", "image", message));
  }
  if (imageTypes.includes(part.type)) return part;
  const message = `Invalid file 'image': unsupported mimetype ('${part.type.slice(0, 100)}'). Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`;
  throw new RefusalError(invalidRequest("unsupported_file_mimetype", "image", message));
}

/** Throws InputError and RefusalError. */
export function fetchImages(images: Image[], fetchInput: FetchInput): Promise<Buffer[]> {
  return Promise.all(images.map((image, at) => readImage(image, at, fetchInput)));
}

async function readImage(image: Image, at: number, fetchInput: FetchInput): Promise<Buffer> {
  const { file, image_url: url = "" } = image;
  const bytes = file ? Buffer.from(await file.arrayBuffer()) : await fetchInput(url);
  if (bytes.length >= imageBytesMax) {
    const message = `Invalid file 'image': image ${at + 1} is too large, the maximum is 50MB.`;
    throw new RefusalError(invalidRequest("invalid_value", "image", message));
  }
  const type = file?.type ?? /^data:([^;]*)/i.exec(url)?.[1]?.toLowerCase();
  if (type !== undefined && type !== `image/${formatOf(bytes)}`) {
    throw new InputError("input_unusable", `image ${at + 1} is not what its type says`);
  }
  return bytes;
}
