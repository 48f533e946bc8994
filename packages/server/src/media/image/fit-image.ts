import { stat } from "node:fs/promises";
import { openImage } from "./open-image.ts";

/** An image in one of the three formats that every image vendor accepts. */
export type Image = ({ kind: "bytes"; bytes: Buffer } | { kind: "file"; path: string }) & {
  contentType: `image/${(typeof formats)[number]}`;
};

/** Why there is no image, in plain words for operators. */
export type ImageFault = { kind: "fault"; fault: string };

const formats = ["png", "jpeg", "webp"] as const;
const encodeSecondsMax = 20;
/** Longest sides to try when a file is too large. Noise of 2048x2048 has about 3 MB as JPEG. */
const sidesMax = [4096, 3072, 2048];
const quality = 90;

/**
 * An image of at most `sizeBytesMax`, from bytes or a local file: the file itself where it fits, otherwise encoded again and, if
 * it must be, smaller. What a file is, its bytes decide. A fault is plain text for operators.
 */
export async function fitImage(
  file: Buffer | string,
  sizeBytesMax: number,
): Promise<Image | ImageFault> {
  try {
    const { format, hasAlpha } = await openImage(file).metadata(); // reads the header only
    const contentType = typeOf(format);
    if (typeof contentType !== "string") return contentType;
    const sizeBytes = typeof file === "string" ? (await stat(file)).size : file.length;
    if (sizeBytes <= sizeBytesMax)
      return typeof file === "string"
        ? { kind: "file", path: file, contentType }
        : { kind: "bytes", bytes: file, contentType };
    for (const side of sidesMax) {
      const smaller = openImage(file)
        .timeout({ seconds: encodeSecondsMax })
        .autoOrient() // the orientation tag does not survive
        .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
      const encoded = await (hasAlpha
        ? smaller.webp({ quality, effort: 1 })
        : smaller.jpeg({ quality })
      ).toBuffer();
      if (encoded.length <= sizeBytesMax)
        return {
          kind: "bytes",
          bytes: encoded,
          contentType: hasAlpha ? "image/webp" : "image/jpeg",
        };
    }
    return faulty(`cannot be reduced to ${sizeBytesMax} bytes`);
  } catch (error) {
    return faulty(error instanceof Error ? error.message : "unreadable");
  }
}

/** Of which type a local file is, by its header. */
export async function imageTypeOf(path: string): Promise<Image["contentType"] | ImageFault> {
  try {
    return typeOf((await openImage(path).metadata()).format);
  } catch (error) {
    return faulty(error instanceof Error ? error.message : "unreadable");
  }
}

function typeOf(format: string): Image["contentType"] | ImageFault {
  const known = formats.find((name) => name === format);
  return known === undefined ? faulty(`is ${format}`) : `image/${known}`;
}

function faulty(fault: string): ImageFault {
  return { kind: "fault", fault };
}

/** A small image with a short side of so many pixels, as PNG. The long side is never rounded up. */
export async function upscaleImage(bytes: Buffer, shortSide: number): Promise<Buffer> {
  const { width, height, orientation = 1 } = await openImage(bytes).metadata();
  const [across, down] = orientation >= 5 ? [height, width] : [width, height];
  const scaled = (side: number) => Math.floor((side * shortSide) / Math.min(across, down));
  return openImage(bytes)
    .timeout({ seconds: encodeSecondsMax })
    .autoOrient()
    .resize({ width: scaled(across), height: scaled(down), fit: "fill" })
    .png()
    .toBuffer();
}
