import sharp, { type Sharp } from "sharp";

const reading = { limitInputPixels: 100_000_000, failOn: "error" } as const;

// Untrusted bytes, and libvips reads dozens of formats: only three are ever tried.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"],
});
sharp.cache(false); // images are never repeated, so caching is useless

/** The only use of sharp on a file: a PNG, JPEG or WebP, from bytes or a local file. */
export function openImage(input: Buffer | string): Sharp {
  return sharp(input, reading);
}

/**
 * Decodes every pixel and keeps none; throws if the file is damaged or truncated. (`stats` sometimes
 * loses that error under concurrency.)
 */
export async function decodeImage(input: Buffer | string): Promise<void> {
  const all = { fit: "fill", fastShrinkOnLoad: false } as const;
  await sharp(input, { ...reading, sequentialRead: true })
    .resize(1, 1, all)
    .raw()
    .toBuffer();
}
