import { openImage } from "./open-image.js";

const sideMax = 640;
const decodeSecondsMax = 20;
const paper = "#ffffff";
/** Smaller tables would need the whole image in memory, 600 MB of one of 100 megapixels. */
const bare = { quality: 95, optimiseCoding: false };

/**
 * What an image shows, small enough to judge: one view, or two where it is transparent, for what is
 * invisible on paper is there again for whoever ignores the transparency.
 *
 * @param {Buffer} image
 * @returns {Promise<import("./protocol.ts").Answer<"views">>}
 */
export async function readViews(image) {
  const { hasAlpha } = await openImage(image).metadata();
  const views = [await render(image)];
  // Two passes: making it smaller would mix the colours by their transparency.
  if (hasAlpha) views.push(await render(await open(image).removeAlpha().jpeg(bare).toBuffer()));
  const sides = views.map(({ width, height }) => ({ width, height }));
  return { facts: { sides }, parts: views.map(({ data }) => data) };
}

/** @param {Buffer} image */
async function render(image) {
  const { data, info } = await open(image)
    .resize({ width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true })
    .flatten({ background: paper })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`the image has ${info.channels} channels`);
  return { data, width: info.width, height: info.height };
}

/** @param {Buffer} image */
function open(image) {
  return openImage(image).timeout({ seconds: decodeSecondsMax }).autoOrient();
}
