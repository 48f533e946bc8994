import assert from "node:assert";
import sharp from "sharp";
import { expect, test } from "vitest";
import { fitImage } from "./fit-image.ts";

const sizeBytesMax = 100_000;

/** Noise: what no encoder makes small. */
function noise(width: number, height: number, channels: 3 | 4 = 3) {
  const bytes = Buffer.alloc(width * height * channels);
  for (let at = 0, state = 1; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return sharp(bytes, { raw: { width, height, channels } });
}

test.each(["png", "jpeg", "webp"] as const)("a small %s is left as it is", async (format) => {
  const bytes = await noise(64, 64).toFormat(format).toBuffer();
  expect(await fitImage(bytes, bytes.length)).toEqual({
    kind: "bytes",
    bytes,
    contentType: `image/${format}`,
  });
});

test("a large file is encoded again, with its sides where that is enough", async () => {
  const bytes = await noise(300, 200).png().toBuffer();
  expect(bytes.length).toBeGreaterThan(sizeBytesMax);
  const fitted = await fitImage(bytes, sizeBytesMax);
  assert(fitted.kind === "bytes");
  expect(fitted.contentType).toBe("image/jpeg");
  expect(fitted.bytes.length).toBeLessThanOrEqual(sizeBytesMax);
  expect(await sharp(fitted.bytes).metadata()).toMatchObject({
    format: "jpeg",
    width: 300,
    height: 200,
  });
});

test("one that is still too large becomes smaller in its sides", async () => {
  const bytes = await noise(3000, 1500).jpeg({ quality: 100 }).toBuffer();
  const fitted = await fitImage(bytes, 3_000_000);
  assert(fitted.kind === "bytes");
  expect(fitted.bytes.length).toBeLessThanOrEqual(3_000_000);
  expect(await sharp(fitted.bytes).metadata()).toMatchObject({ width: 2048, height: 1024 });
  expect(await fitImage(bytes, 1_000)).toEqual({
    kind: "fault",
    fault: "cannot be reduced to 1000 bytes",
  });
});

test("what is see-through stays so", async () => {
  const bytes = await noise(400, 400, 4).png().toBuffer();
  const fitted = await fitImage(bytes, bytes.length - 1);
  assert(fitted.kind === "bytes");
  expect(fitted.contentType).toBe("image/webp");
  expect(await sharp(fitted.bytes).metadata()).toMatchObject({ format: "webp", hasAlpha: true });
});

test("a photo that lies on its side is put upright", async () => {
  const lying = await noise(300, 200)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100 })
    .toBuffer();
  const fitted = await fitImage(lying, lying.length - 1);
  assert(fitted.kind === "bytes");
  expect(await sharp(fitted.bytes).metadata()).toMatchObject({ width: 200, height: 300 });
});

const unsupported = "is no PNG, JPEG or WebP";
const bmp = Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)]);
const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1", "latin1");
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ["a GIF", () => noise(64, 64).gif().toBuffer(), unsupported],
  ["a TIFF", () => noise(64, 64).tiff().toBuffer(), unsupported],
  ["an AVIF", () => noise(64, 64).avif().toBuffer(), unsupported],
  ["an SVG", () => svg, unsupported],
  ["a BMP", () => bmp, unsupported],
  ["a HEIC", () => heic, unsupported],
  ["text", () => Buffer.from("hello"), unsupported],
  ["nothing", () => Buffer.alloc(0), unsupported],
  ["an image of 121 megapixels", () => flat(11_000), "Input image exceeds pixel limit"],
  ["a large file that breaks off", () => brokenOff(), "vipspng: libpng read error"],
])("%s is refused", async (_what, make, fault) => {
  expect(await fitImage(await make(), sizeBytesMax)).toEqual({
    kind: "fault",
    fault: expect.stringContaining(fault),
  });
});

function flat(side: number): Promise<Buffer> {
  const create = { width: side, height: side, channels: 3 as const, background: "red" };
  return sharp({ create, limitInputPixels: false }).png({ compressionLevel: 1 }).toBuffer();
}

async function brokenOff(): Promise<Buffer> {
  const whole = await noise(400, 400).png().toBuffer();
  return whole.subarray(0, whole.length / 2);
}
