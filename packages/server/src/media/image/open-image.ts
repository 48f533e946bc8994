import sharp, { type Sharp } from "sharp";

const reading = { limitInputPixels: 100_000_000, failOn: "error" } as const;

// These bytes come from strangers and libvips reads dozens of formats: only three are ever tried.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"],
});
sharp.cache(false); // no image comes twice

/** The only way to sharp: a PNG, JPEG or WebP, from its bytes or a local file. */
export function openImage(input: Buffer | string): Sharp {
  return sharp(input, reading);
}

/**
 * Decodes every pixel and keeps none; throws when the file is broken or was cut. (`stats` would lose
 * that error now and then when several are at work.)
 */
export async function decodeImage(input: Buffer | string): Promise<void> {
  const all = { fit: "fill", fastShrinkOnLoad: false } as const;
  await sharp(input, { ...reading, sequentialRead: true })
    .resize(1, 1, all)
    .raw()
    .toBuffer();
}
