import { expect, test } from "vitest";
import type { VideoPlan } from "../../db/tables/upscale.ts";
import { faultOfSides } from "./check-result.ts";

const plan = (by: VideoPlan["by"], width: number, height: number): VideoPlan => ({
  by,
  contentType: "video/mp4",
  target: "1080p",
  width,
  height,
  source: { width: 320, height: 180, durationMs: 2_000 },
  tick: { over: 1, under: 1_000 },
  firstAt: 0,
  endsAt: 2_000,
  startsAtSeconds: 0,
  isInterlaced: false,
  audioCodecs: [],
});

test("our own result has exactly the sides of the plan", () => {
  const video = plan("us", 1920, 1080);
  expect(faultOfSides(video, { width: 1920, height: 1080 })).toBeNull();
  for (const [width, height] of [
    [1922, 1080],
    [1920, 1082],
    [1080, 1920],
  ] as const)
    expect(faultOfSides(video, { width, height })).toMatch(/instead of 1920x1080/);
});

test.each([
  [1920, 1080, true],
  [1936, 1088, true], // rounded to a multiple of 16
  [3840, 2160, true],
  [1918, 1078, false], // less than was paid for
  [1921, 1080, false],
  [1920, 1081, false],
  [1080, 1920, false], // turned
  [1920, 1440, false], // with bars
  [2560, 1080, false],
])("a vendor's %ix%i in the place of 1920x1080 is taken: %s", (width, height, isTaken) => {
  const fault = faultOfSides(plan("vendor", 1920, 1080), { width, height });
  expect(fault === null).toBe(isTaken);
});
