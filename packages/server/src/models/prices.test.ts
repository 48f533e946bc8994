import assert from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  anyTask,
  firstRates,
  images,
  type PricedTask,
  priceOfTask,
  schedules,
  videos,
} from "../../test/priced-tasks.ts";
import {
  formulaPrice,
  publishedCells,
  publishedPrice,
  type Video,
} from "../../test/published-prices.ts";
import { planRequest } from "./plan-request.ts";
import { priceOf } from "./prices.ts";
import { sd2 } from "./sd2.ts";
import { sd2Fast } from "./sd2-fast.ts";

/** Tasks by the place where their price is printed; `null` holds what is printed nowhere. */
const tasksByCell = Map.groupBy(
  [...videos, ...images].flatMap((task) => schedules.map((schedule) => ({ task, schedule }))),
  ({ task, schedule }) => publishedPrice(task, schedule).cell,
);

test.each(publishedCells)("what is published as '%s' is what it costs", (cell) => {
  const tasks = tasksByCell.get(cell) ?? [];
  expect(tasks).not.toEqual([]);
  for (const { task, schedule } of tasks)
    expect(priceOfTask(task, schedule).credits, JSON.stringify(task)).toBe(
      publishedPrice(task, schedule).credits,
    );
});

test("no published row is left untested, under either schedule", () => {
  const rowOf = (cell: string) => cell.split(",")[0];
  const visited = [...tasksByCell.keys()].filter((cell) => cell !== null);
  expect(visited.toSorted()).toEqual(publishedCells.toSorted());
  expect(new Set(publishedCells).size).toBe(8 * 4 + 4 * 2 + 3 * 3 * 2);
  expect(new Set(visited.map(rowOf)).size).toBe(8 + 4 + 3);
});

test("an upscale that is published nowhere costs the native price and the published add-on", () => {
  const tasks = tasksByCell.get(null) ?? [];
  const kinds = new Set<string>();
  for (const { task, schedule } of tasks) {
    assert("seconds" in task);
    kinds.add(`${task.model} ${task.outputResolution} to ${task.upscaleResolution}`);
    expect(priceOfTask(task, schedule).credits).toBe(formulaPrice(task, schedule));
  }
  expect([...kinds]).toEqual([
    "sd2 720p to 1080p",
    "sd2 1080p to 2k",
    "sd2 1080p to 4k",
    "happyhorse 720p to 1080p",
    "happyhorse 1080p to 2k",
    "happyhorse 1080p to 4k",
  ]);
});

test("native price and add-on reproduce every published price of a video", () => {
  for (const task of videos)
    for (const schedule of schedules) {
      assert("seconds" in task);
      expect(formulaPrice(task, schedule)).toBe(publishedPrice(task, schedule).credits);
    }
});

test("every task costs its published price, in whole credits that add up", () => {
  const visited = new Set<string | null>();
  fc.assert(
    fc.property(anyTask, fc.constantFrom(...schedules), (task, schedule) => {
      const published = publishedPrice(task, schedule);
      const { credits, items } = priceOfTask(task, schedule);
      visited.add(published.cell);
      assert.strictEqual(credits, published.credits);
      assert.strictEqual(
        items.reduce((sum, item) => sum + item.credits, 0),
        credits,
      );
      for (const item of items) assert(Number.isInteger(item.credits) && item.credits > 0);
    }),
    { numRuns: 100_000 },
  );
  expect(visited).toEqual(new Set([...publishedCells, null]));
});

type Literal = Partial<Video> & Pick<Video, "seconds" | "inputVideoMs">;

test.each<[string, Literal, number, number]>([
  // In 5 s of video a video counts 5 s (4.2 rounded up), more than 10/3: 4 x (5 + 5).
  ["a video of 4.2 s counts 5 s", { seconds: 5, inputVideoMs: [4_200] }, 40, 300],
  // 4 x (5 + 10/3) = 33.3
  ["a short video counts 2/3 of the video", { seconds: 5, inputVideoMs: [1] }, 34, 250],
  // 4 x (5 + 20/3) = 46.7: with 4 s for each it would be 52, with 14 credits for each 48.
  ["two short videos are rounded once", { seconds: 5, inputVideoMs: [1, 3_000] }, 47, 350],
  // 4 x (5 + 10) = 60: with 4 s for each it would be 68, with 14 credits for each 62.
  ["three thirds make a whole", { seconds: 5, inputVideoMs: [1, 2, 3] }, 60, 450],
  // 4 x (4 + 8/3 + 4) = 42.7: 3.001 s is 4 s, more than 8/3.
  ["each video has a minimum of its own", { seconds: 4, inputVideoMs: [2_000, 3_001] }, 43, 320],
  // 3 s is just above 8/3, 2 s just below.
  ["2/3 of 4 s is less than 3 s", { seconds: 4, inputVideoMs: [2_001] }, 28, 210],
  // 6 s of video make 4 s exactly: 4 x (6 + 4).
  ["2/3 of 6 s is 4 s", { seconds: 6, inputVideoMs: [4_000] }, 40, 300],
  ["4.001 s is 5 s", { seconds: 6, inputVideoMs: [4_001] }, 44, 330],
  // 11 x (5 + 20/3) = 128.3
  [
    "a third of a credit is a credit",
    { outputResolution: "1080p", seconds: 5, inputVideoMs: [1, 1] },
    129,
    875,
  ],
  // 4 x (5 + 20/3) + 7 x 5 = 81.7
  [
    "the add-on is for the video alone",
    { model: "sd2-fast", upscaleResolution: "4k", seconds: 5, inputVideoMs: [1, 1] },
    82,
    480,
  ],
  // 15 x 5 + 7 x 5
  [
    "native 1080p to 4k",
    { outputResolution: "1080p", upscaleResolution: "4k", seconds: 5, inputVideoMs: [] },
    110,
    700,
  ],
  // 6 x 5 + 3 x 5
  ["720p to 1080p", { upscaleResolution: "1080p", seconds: 5, inputVideoMs: [] }, 45, 300],
])("%s: %j costs %d under A and %d under B", (_, video, a, b) => {
  const task: PricedTask = {
    model: "sd2",
    outputResolution: "720p",
    upscaleResolution: null,
    mode: video.inputVideoMs.length === 0 ? "text-to-video" : "reference",
    defaultDuration: false,
    ...video,
  };
  expect(priceOfTask(task, "A").credits).toBe(a);
  expect(priceOfTask(task, "B").credits).toBe(b);
});

test("a quote says what each part of the price is for", () => {
  const { items } = priceOfTask(
    {
      model: "sd2",
      outputResolution: "720p",
      upscaleResolution: "2k",
      seconds: 5,
      inputVideoMs: [1, 1],
      mode: "reference",
      defaultDuration: false,
    },
    "A",
  );
  expect(items.map(({ item, unit, credits }) => [item, unit, credits])).toEqual([
    ["output", "second", 20],
    ["inputVideo", "second", 27], // 4 x 20/3, rounded up
    ["upscale", "second", 25],
  ]);
});

test("a quote names what it is made of", () => {
  const video = {
    model: "sd2",
    outputResolution: "720p",
    upscaleResolution: "4k",
    seconds: 7,
    inputVideoMs: [4_200],
    mode: "reference",
    defaultDuration: false,
  } as const;
  expect(priceOfTask(video, "B").items).toEqual([
    {
      item: "output",
      description: "sd2 720p",
      unit: "second",
      quantity: 7,
      creditsPerUnit: 30,
      credits: 210,
    },
    {
      item: "inputVideo",
      description: "reference videos",
      unit: "second",
      quantity: 5,
      creditsPerUnit: 30,
      credits: 150,
    },
    {
      item: "upscale",
      description: "upscale to 4k",
      unit: "second",
      quantity: 7,
      creditsPerUnit: 40,
      credits: 280,
    },
  ]);
  const image = { resolution: "1k", mode: "text-to-image" } as const;
  const item = { item: "image", unit: "image", quantity: 1 };
  expect(priceOfTask({ ...image, model: "image-pro-2", quality: "high" }, "A").items).toEqual([
    { ...item, description: "image-pro-2 1k high", creditsPerUnit: 13, credits: 13 },
  ]);
  expect(priceOfTask({ ...image, model: "image-plus-2", quality: null }, "A").items).toEqual([
    { ...item, description: "image-plus-2 1k", creditsPerUnit: 3, credits: 3 },
  ]);
});

test("a price is refused as long as a video's length is not known", () => {
  const request = planRequest(sd2, {
    videoInputMode: "reference",
    resolution: "720x720",
    videoUrls: ["asset://asset-1-a"],
  });
  expect(() => priceOf(sd2, request, firstRates(sd2, "A"))).toThrow(
    "a price needs the duration of every video",
  );
});

test("a video without a published price is refused, with videos and without, and never free", () => {
  const video = planRequest(sd2Fast, { prompt: "a fox" });
  assert(video.kind === "video");
  const unpublished = { ...video, outputResolution: "1080p" } as const;
  const withVideo = { ...unpublished, videos: [{ asset: "asset-1-a" }], videoSeconds: [5] };
  for (const request of [unpublished, withVideo])
    expect(() => priceOf(sd2Fast, request, firstRates(sd2Fast, "A"))).toThrow(
      "sd2-fast has no price for 1080p",
    );
});
