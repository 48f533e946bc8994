import assert from "node:assert";
import { expect, test } from "vitest";
import {
  type HappyhorseRequest,
  happyhorse,
  isHappyhorseRequest,
} from "../../models/happyhorse.ts";
import { planRequest } from "../../models/plan-request.ts";
import type { MediaRef } from "../../models/request.ts";
import { readTime, renderCreate, renderTime, withImagesNamed } from "./wire.ts";

function plan(inputs: object): HappyhorseRequest {
  const request = planRequest(happyhorse, inputs);
  assert(isHappyhorseRequest(request));
  return request;
}

function rendered(inputs: object, isMarked = false): unknown {
  const request = plan(inputs);
  const linkOf = (ref: MediaRef) => (ref.url === undefined ? "" : `${ref.url}?signed`);
  return renderCreate({ linkOf, isMarked }, request, "model", request.prompt);
}

const url = (name: string) => `https://example.com/${name}.png`;
const always = { resolution: "720P", duration: 5, watermark: false };

test("text-to-video is sent with its prompt, and parameters with costly defaults are always sent", () => {
  expect(rendered({ prompt: "a fox" })).toEqual({
    model: "model",
    input: { prompt: "a fox" },
    parameters: always,
  });
  const more = { duration: "15", ratio: "9:16", seed: 0, outputResolution: "1080p" };
  expect(rendered({ prompt: "a fox", ...more })).toEqual({
    model: "model",
    input: { prompt: "a fox" },
    parameters: { resolution: "1080P", ratio: "9:16", duration: 15, watermark: false, seed: 0 },
  });
});

test("the vendor's mark is asked for where it is due", () => {
  const parameters = { ...always, watermark: true };
  expect(rendered({ prompt: "a fox" }, true)).toMatchObject({ parameters });
});

test("image-to-video is sent with its first frame and never with a ratio", () => {
  const media = [{ type: "first_frame", url: `${url("a")}?signed` }];
  const sent = { model: "model", input: { media }, parameters: always };
  expect(rendered({ urls: [url("a")] })).toEqual(sent);
  expect(rendered({ urls: [url("a")], ratio: "9:16" })).toEqual(sent);
});

test("reference-to-video is sent with its images in the caller's order", () => {
  const urls = [url("b"), url("a")];
  expect(
    rendered({ prompt: "x", urls, ratio: "1:1", videoWorkflowTab: "multi-reference" }),
  ).toEqual({
    model: "model",
    input: {
      prompt: "x",
      media: urls.map((one) => ({ type: "reference_image", url: `${one}?signed` })),
    },
    parameters: { ...always, ratio: "1:1" },
  });
});

test.each([
  ["character1 races character2", "[Image 1] races [Image 2]"],
  ["Character1, and CHARACTER2.", "[Image 1], and [Image 2]."],
  ["character2在海边", "[Image 2]在海边"],
  ["character3 is nobody, nor is character0", "character3 is nobody, nor is character0"],
  ["character12 mycharacter1 character1s", "character12 mycharacter1 character1s"],
  ["[Image 1] already", "[Image 1] already"],
])("with two references %j names them as %j", (prompt, named) => {
  const urls = [url("a"), url("b")];
  const request = plan({ prompt, urls, videoWorkflowTab: "multi-reference" });
  expect(withImagesNamed(request)).toBe(named);
});

test("without references a character is a word like any other", () => {
  expect(withImagesNamed(plan({ prompt: "character1 runs" }))).toBe("character1 runs");
  expect(withImagesNamed(plan({ prompt: "character1 runs", urls: [url("a")] }))).toBe(
    "character1 runs",
  );
  expect(withImagesNamed(plan({ urls: [url("a")] }))).toBeNull();
});

test("times without a zone are Beijing's", () => {
  const midnight = Date.parse("2026-01-01T00:00:00.000+08:00");
  expect(readTime("2026-01-01 00:00:00.000")).toBe(midnight);
  expect(renderTime(midnight)).toBe("20260101000000");
  expect(readTime("some day")).toBeNaN();
});
