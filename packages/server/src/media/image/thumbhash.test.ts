import { expect, test } from "vitest";
import { thumbhashOf } from "./thumbhash.ts";

function drawn(width: number, height: number, pixel: (x: number, y: number) => number[]) {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgb.set(pixel(x, y), 3 * (x + y * width));
  return Buffer.from(thumbhashOf(rgb, width, height)).toString("base64");
}

// Made by the reference implementation, thumbhash 0.1.1.
test("the hash of a gradient is that of the reference implementation", () => {
  const gradient = (x: number, y: number) => [x * 8, y * 14, 255 - x * 8];
  expect(drawn(32, 18, gradient)).toBe("nwcKnJp4eIhweIiHh3dwdQj3hw==");
});

test("an image of one pixel has a hash of the usual form", () => {
  expect(
    Buffer.from(
      drawn(1, 1, () => [128, 128, 128]),
      "base64",
    ).length,
  ).toBeGreaterThan(5);
});
