import { expect, test } from "vitest";
import { printOfPixels } from "./print.ts";

type Paint = (x: number, y: number) => number;

/** The picture that `paint` describes for x and y of 0 to 1, with values of 0 to 255, at any size. */
function draw(width: number, height: number, paint: Paint): Uint8Array {
  const pixels = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels.fill(paint((x + 0.5) / width, (y + 0.5) / height), 4 * (y * width + x), -1);
  return pixels;
}

/** A picture with structure in all directions, different for each seed. */
function scene(seed: number): Paint {
  const wave = (at: number) => Math.sin(seed * 7.3 + at * 1.7) * 5;
  return (x, y) =>
    128 +
    [1, 2, 3, 4, 5, 6].reduce(
      (sum, n) => sum + (60 / n) * Math.sin(wave(n) * x * 4 + wave(n + 9) * y * 4 + seed * n),
      0,
    ) /
      2;
}

function printOf(width: number, height: number, paint: Paint, margin?: number): string {
  return printOfPixels(width, height, draw(width, height, paint), margin) ?? "none";
}

function distance(one: string, other: string): number {
  return [...(BigInt(one) ^ BigInt(other)).toString(2)].filter((bit) => bit === "1").length;
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1);

test("a picture keeps its print at another size, another ratio of sides, brighter and flatter", () => {
  for (const seed of seeds) {
    const print = printOf(64, 36, scene(seed));
    expect(distance(print, printOf(32, 18, scene(seed)))).toBeLessThanOrEqual(5);
    expect(distance(print, printOf(40, 64, scene(seed)))).toBeLessThanOrEqual(5);
    const flatter: Paint = (x, y) => 60 + scene(seed)(x, y) * 0.7;
    expect(distance(print, printOf(64, 36, flatter))).toBeLessThanOrEqual(5);
  }
});

test("a margin stands for what a crop has cut off", () => {
  const cut = 0.03;
  const farther = seeds.filter((seed) => {
    const cropped: Paint = (x, y) => scene(seed)(cut + x * (1 - 2 * cut), cut + y * (1 - 2 * cut));
    const print = printOf(64, 36, scene(seed));
    const plain = distance(print, printOf(64, 36, cropped));
    return distance(print, printOf(64, 36, cropped, cut)) > Math.max(plain, 5);
  });
  expect(farther).toEqual([]);
});

test("different pictures have different prints", () => {
  const prints = seeds.map((seed) => printOf(64, 36, scene(seed)));
  const near = prints.flatMap((one, at) =>
    prints.slice(at + 1).filter((other) => distance(one, other) <= 5),
  );
  expect(near).toEqual([]);
});

test("one colour, faint noise and a plain gradient have no print", () => {
  expect(printOf(64, 36, () => 90)).toBe("none");
  expect(printOf(64, 36, (x, y) => 90 + ((x * 7919 + y * 104_729) % 3))).toBe("none");
  expect(printOf(64, 36, (x) => 40 + 160 * x)).toBe("none");
  expect(printOf(64, 36, (_x, y) => 40 + 160 * y)).toBe("none");
});

test("a print is the text of a positive 64-bit integer", () => {
  for (const seed of seeds) expect(BigInt(printOf(64, 64, scene(seed)))).toBeLessThan(2n ** 63n);
});
