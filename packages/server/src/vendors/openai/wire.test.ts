import assert from "node:assert";
import { expect, test } from "vitest";
import { imagePro2 } from "../../models/image-pro-2.ts";
import { planRequest } from "../../models/plan-request.ts";
import type { ImageRequest } from "../../models/request.ts";
import { imagesSchema, renderEdit, renderGeneration, sizes } from "./wire.ts";

const endUser = "e".repeat(64);

function parts(inputs: object) {
  const request = planRequest(imagePro2, inputs);
  assert(request.kind === "image");
  return { request, model: "gpt-image-2", endUser };
}

test("a generation is sent with every parameter and nothing that gpt-image-2 does not take", () => {
  expect(renderGeneration(parts({ prompt: "a fox" }))).toEqual({
    model: "gpt-image-2",
    prompt: "a fox",
    n: 1,
    size: "2048x2048",
    quality: "medium",
    output_format: "png",
    moderation: "auto",
    user: endUser,
  });
  const inputs = { prompt: "a fox", quality: "high", resolution: "4k", aspectRatio: "9:16" };
  expect(renderGeneration(parts({ ...inputs, outputFormat: "webp" }))).toEqual({
    model: "gpt-image-2",
    prompt: "a fox",
    n: 1,
    size: "2160x3840",
    quality: "high",
    output_format: "webp",
    moderation: "auto",
    user: endUser,
  });
});

test("an edit is a form: the words, then the images in the caller's order", () => {
  const urls = ["https://example.com/a", "https://example.com/b", "https://example.com/c"];
  const inputs = { prompt: "make it night", urls, resolution: "1k", outputFormat: "jpeg" };
  const images = [
    { kind: "bytes" as const, bytes: Buffer.from("a"), contentType: "image/png" as const },
    { kind: "bytes" as const, bytes: Buffer.from("b"), contentType: "image/jpeg" as const },
    { kind: "bytes" as const, bytes: Buffer.from("c"), contentType: "image/webp" as const },
  ];
  const file = (text: string, contentType: string, fileName: string) => [
    "image[]",
    { kind: "bytes", bytes: Buffer.from(text), contentType, fileName },
  ];
  expect(renderEdit(parts(inputs), images)).toEqual([
    ["model", "gpt-image-2"],
    ["prompt", "make it night"],
    ["size", "1024x1024"],
    ["quality", "medium"],
    ["output_format", "jpeg"],
    ["user", endUser],
    ["n", "1"],
    file("a", "image/png", "image-1.png"),
    file("b", "image/jpeg", "image-2.jpeg"),
    file("c", "image/webp", "image-3.webp"),
  ]);
});

const resolutions: ImageRequest["resolution"][] = ["1k", "2k", "4k"];
const ratios = ["1:1", "16:9", "9:16", "4:3", "3:4"];
const every = resolutions.flatMap((resolution) =>
  ratios.map((ratio) => [resolution, ratio] as const),
);

test.each(every)("%s in %s has a size that gpt-image-2 takes", (resolution, aspectRatio) => {
  const { size } = renderGeneration(parts({ prompt: "x", resolution, aspectRatio }));
  const [width = 0, height = 0] = String(size).split("x").map(Number);
  const [across = 0, down = 0] = aspectRatio.split(":").map(Number);
  expect(width % 16).toBe(0);
  expect(height % 16).toBe(0);
  expect(width * down).toBe(height * across);
  expect(Math.max(width, height)).toBeLessThanOrEqual(3840);
  expect(width * height).toBeGreaterThanOrEqual(655_360);
  expect(width * height).toBeLessThanOrEqual(8_294_400);
});

test("the table has what the model offers, and each step is larger than the one before", () => {
  for (const mode of imagePro2.modes)
    for (const resolution of resolutions)
      for (const aspectRatio of ratios) {
        const urls = mode.name === "edit" ? { urls: ["https://example.com/a"] } : {};
        expect(() =>
          planRequest(imagePro2, { prompt: "x", ...urls, resolution, aspectRatio }),
        ).not.toThrow();
      }
  expect(() => planRequest(imagePro2, { prompt: "x", aspectRatio: "3:2" })).toThrow();
  for (const table of Object.values(sizes)) expect(Object.keys(table)).toEqual(ratios);
  const pixels = (resolution: ImageRequest["resolution"], ratio: string) =>
    String(sizes[resolution]?.[ratio])
      .split("x")
      .map(Number)
      .reduce((a, b) => a * b);
  for (const ratio of ratios) {
    expect(pixels("1k", ratio)).toBeLessThan(pixels("2k", ratio));
    expect(pixels("2k", ratio)).toBeLessThan(pixels("4k", ratio));
  }
});

test.each([
  {},
  { data: null },
  { data: [] },
  { data: [{}] },
  { data: [{ b64_json: null }] },
  { data: [{ b64_json: "" }] },
  { data: [{ url: "https://example.com/a.png" }] },
])("%j is no image", (body) => {
  expect(imagesSchema.safeParse(body).success).toBe(false);
});
