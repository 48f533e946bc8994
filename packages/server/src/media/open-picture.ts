import sharp, { type Sharp } from "sharp";

const pixelsMax = 100_000_000;

// These bytes come from strangers and libvips reads dozens of formats: only three are ever tried.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"],
});
sharp.cache(false); // no picture comes twice

/** The only way to sharp: a PNG, JPEG or WebP, from its bytes or a local file. */
export function openPicture(input: Buffer | string): Sharp {
  return sharp(input, { limitInputPixels: pixelsMax, failOn: "error" });
}
