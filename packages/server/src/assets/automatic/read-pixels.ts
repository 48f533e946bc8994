import { openPicture } from "../../media/open-picture.ts";

/** Rows of red, green and blue, a byte each. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

const sideMax = 640;
const decodeSecondsMax = 20;
const paper = "#ffffff";
const bareQuality = 95;

/**
 * What a picture shows, small enough to judge: one view, or two where it is transparent, for what is
 * invisible on paper is there again for whoever ignores the transparency. Throws if it is no picture.
 */
export async function readPixels(bytes: Buffer): Promise<Pixels[]> {
  const { hasAlpha } = await openPicture(bytes).metadata();
  const onPaper = await render(bytes);
  if (!hasAlpha) return [onPaper];
  // Two passes: making it smaller would mix the colours by their transparency.
  const bare = await open(bytes).removeAlpha().jpeg({ quality: bareQuality }).toBuffer();
  return [onPaper, await render(bare)];
}

async function render(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await open(bytes)
    .resize({ width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true })
    .flatten({ background: paper })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`the picture has ${info.channels} channels`);
  return { data, width: info.width, height: info.height };
}

function open(bytes: Buffer) {
  return openPicture(bytes).timeout({ seconds: decodeSecondsMax }).autoOrient();
}
