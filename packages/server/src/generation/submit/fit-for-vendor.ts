import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fitImage, upscaleImage } from "../../media/image/fit-image.ts";
import { extractFrame } from "../../media/probe/extract-frame.ts";
import { measureFile } from "../../media/storage/fetch-object.ts";
import type { VendorImageRules } from "../../vendors/vendor.ts";

/** Of a converted image. Two fifths of it are whole pixels: an aspect ratio of 2.5 stays one. */
const sidePixelsMax = 4_000;

interface LocalImage {
  path: string;
  contentType: string;
  width: number | null;
  height: number | null;
}

/** Whether a vendor with these rules would refuse an image that the model takes. */
export function needsFitting(
  rules: VendorImageRules | null,
  image: Omit<LocalImage, "path">,
): rules is VendorImageRules {
  return rules !== null && image.contentType.startsWith("image/") && !isTaken(rules, image);
}

/**
 * An image as a vendor with these rules takes it: the file itself, or a copy in `dir` that was
 * converted or scaled. An image that passed the model's own rules always can be.
 */
export async function fitForVendor(rules: VendorImageRules | null, image: LocalImage, dir: string) {
  if (!needsFitting(rules, image)) return null;
  const decoded =
    image.contentType === "image/bmp"
      ? await extractFrame(image.path, image.contentType, null, dir, sidePixelsMax)
      : await readFile(image.path);
  if (decoded === null) throw new Error("a probed image cannot be decoded");
  const large = isLargeEnough(rules, image)
    ? decoded
    : await upscaleImage(decoded, rules.shortSidePixelsMin);
  const fitted = await fitImage(large, rules.sizeBytesMax);
  if (fitted.kind === "fault") throw new Error(`the image cannot be converted: ${fitted.fault}`);
  const path = join(dir, "fitted");
  await writeFile(path, fitted.kind === "file" ? createReadStream(fitted.path) : fitted.bytes);
  const { contentType } = fitted;
  return { path, contentType, ...(await measureFile(path)) };
}

function isTaken(rules: VendorImageRules, image: Omit<LocalImage, "path">): boolean {
  const isKnown = rules.formats.some((name) => image.contentType === `image/${name}`);
  return isKnown && isLargeEnough(rules, image);
}

function isLargeEnough(
  { shortSidePixelsMin }: VendorImageRules,
  { width, height }: Pick<LocalImage, "width" | "height">,
): boolean {
  return Math.min(width ?? 0, height ?? 0) >= shortSidePixelsMin;
}
