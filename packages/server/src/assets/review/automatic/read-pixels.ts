import { openImage } from "../../../media/image/open-image.ts";

/** Rows of red, green and blue, a byte each. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

const sideMax = 640;
const decodeSecondsMax = 20;
const paper = "#ffffff";
/** Smaller tables would need the whole image in memory, 600 MB of one of 100 megapixels. */
const bare = { quality: 95, optimiseCoding: false } as const;

/**
 * What an image shows, small enough to judge: one view, or two where it is transparent, for what is
 * invisible on paper is there again for whoever ignores the transparency. Throws if it is no image.
 * It is given by its bytes or as a local file.
 */
export async function readPixels(image: Buffer | string): Promise<Pixels[]> {
  const { hasAlpha } = await openImage(image).metadata();
  const onPaper = await render(image);
  if (!hasAlpha) return [onPaper];
  // Two passes: making it smaller would mix the colours by their transparency.
  return [onPaper, await render(await open(image).removeAlpha().jpeg(bare).toBuffer())];
}

async function render(image: Buffer | string): Promise<Pixels> {
  const { data, info } = await open(image)
    .resize({ width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true })
    .flatten({ background: paper })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`the image has ${info.channels} channels`);
  return { data, width: info.width, height: info.height };
}

function open(image: Buffer | string) {
  return openImage(image).timeout({ seconds: decodeSecondsMax }).autoOrient();
}
