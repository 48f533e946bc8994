import sharp from "sharp";

// The limit is named in messages as `imagePixelsMax`.
const reading = /** @type {const} */ ({ limitInputPixels: 100_000_000, failOn: "error" });

// Untrusted bytes, and libvips reads dozens of formats: only three are ever tried.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"],
});
sharp.cache(false); // images are never repeated, so caching is useless

/**
 * The only use of sharp on an image: a PNG, JPEG or WebP, from bytes or a local file.
 *
 * @param {Buffer | string} input
 */
export function openImage(input) {
  return sharp(input, reading);
}

/**
 * Decodes every pixel and keeps none; throws if the file is damaged or truncated. (`stats` sometimes
 * loses that error under concurrency.)
 *
 * @param {Buffer} input
 */
export async function decodeImage(input) {
  const all = /** @type {const} */ ({ fit: "fill", fastShrinkOnLoad: false });
  await sharp(input, { ...reading, sequentialRead: true })
    .resize(1, 1, all)
    .raw()
    .toBuffer();
}
