import assert from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Film,
  formulaPrice,
  type Picture,
  publishedCells,
  publishedPrice,
} from "../../test/published-prices.ts";
import { type AssetFacts, applyAssets } from "./asset-rules.ts";
import { planRequest } from "./plan-request.ts";
import { type Price, priceOf, type Schedule } from "./prices.ts";

const schedules = ["A", "B"] as const;

type Order = (Film & { mode: string; defaultDuration: boolean }) | (Picture & { mode: string });

/** What a caller would send for it. */
function inputsOf(order: Order): Record<string, unknown> {
  const urls = Array.from({ length: imagesOf(order) }, (_, at) => `https://example.com/${at}.png`);
  if (!("seconds" in order)) {
    const { resolution, quality } = order;
    return { prompt: "a fox", urls, resolution, ...(quality === null ? {} : { quality }) };
  }
  const { outputResolution, upscaleResolution } = order;
  return {
    prompt: "a fox",
    urls,
    outputResolution,
    ...(upscaleResolution === null ? {} : { upscaleResolution }),
    ...(order.defaultDuration ? {} : { duration: `${order.seconds}s` }),
    ...(order.mode === "reference-to-video" ? { videoWorkflowTab: "multi-reference" } : {}),
    ...(order.mode === "reference"
      ? {
          videoInputMode: "reference",
          resolution: "1280x720",
          videoUrls: order.inputVideoMs.map((_, at) => `asset://asset-20260101-v${at}`),
        }
      : {}),
  };
}

function imagesOf(order: Order): number {
  switch (order.mode) {
    case "image-to-video":
    case "edit":
      return 1;
    case "keyframe":
    case "reference-to-video":
      return 2;
    case "reference":
      return "inputVideoMs" in order && order.inputVideoMs.length > 0 ? 0 : 1;
    default:
      return 0;
  }
}

/** The price of a request that went the way of every real one. */
function priceOfOrder(order: Order, schedule: Schedule): Price {
  const assets = new Map<string, AssetFacts>();
  const inputVideoMs = "inputVideoMs" in order ? order.inputVideoMs : [];
  for (const [at, durationMs] of inputVideoMs.entries())
    assets.set(`asset-20260101-v${at}`, {
      type: "VIDEO",
      status: "ACTIVE",
      contentType: "video/mp4",
      sizeBytes: 1_000_000,
      width: 1280,
      height: 720,
      durationMs,
    });
  const request = applyAssets(planRequest(order.model, inputsOf(order)), assets);
  assert(request.mode === order.mode);
  return priceOf(request, schedule);
}

const resolutionsOf = {
  sd2: ["720p", "1080p"],
  "sd2-fast": ["720p"],
  happyhorse: ["720p", "1080p"],
} as const;
const secondsMinOf = { sd2: 4, "sd2-fast": 4, happyhorse: 3 } as const;
const filmModels = ["sd2", "sd2-fast", "happyhorse"] as const;

/** Every combination of model, native resolution and upscale that is for sale. */
const filmKinds = filmModels.flatMap((model) =>
  resolutionsOf[model].flatMap((outputResolution) =>
    ([null, "1080p", "2k", "4k"] as const)
      .filter((upscaleResolution) => upscaleResolution !== outputResolution)
      .map((upscaleResolution) => ({ model, outputResolution, upscaleResolution })),
  ),
);
const pictureKinds = (["1k", "2k", "4k"] as const).flatMap((resolution) => [
  { model: "image-pro-2" as const, resolution, quality: "medium" as const },
  { model: "image-pro-2" as const, resolution, quality: "high" as const },
  { model: "image-plus-2" as const, resolution, quality: null },
]);

const videoInputs = [[], [1], [4_200], [15_000], [1, 15_000], [3_000, 3_001, 10_000]];
const films: Order[] = filmKinds.flatMap((kind) =>
  videoInputs
    .filter((inputVideoMs) => kind.model !== "happyhorse" || inputVideoMs.length === 0)
    .flatMap((inputVideoMs) => {
      const mode = inputVideoMs.length === 0 ? "text-to-video" : "reference";
      const film = { ...kind, inputVideoMs, mode };
      return [
        { ...film, seconds: secondsMinOf[kind.model], defaultDuration: false },
        { ...film, seconds: 15, defaultDuration: false },
        { ...film, seconds: 5, defaultDuration: true },
      ];
    }),
);
const pictures: Order[] = pictureKinds.flatMap((kind) =>
  ["text-to-image", "edit"].map((mode) => ({ ...kind, mode })),
);

/** Orders by the place where their price is printed; `null` holds what is printed nowhere. */
const ordersByCell = Map.groupBy(
  [...films, ...pictures].flatMap((order) => schedules.map((schedule) => ({ order, schedule }))),
  ({ order, schedule }) => publishedPrice(order, schedule).cell,
);

test.each(publishedCells)("what is published as '%s' is what it costs", (cell) => {
  const orders = ordersByCell.get(cell) ?? [];
  expect(orders).not.toEqual([]);
  for (const { order, schedule } of orders)
    expect(priceOfOrder(order, schedule).credits, JSON.stringify(order)).toBe(
      publishedPrice(order, schedule).credits,
    );
});

test("no published row is left untested, under either schedule", () => {
  const rowOf = (cell: string) => cell.split(",")[0];
  const visited = [...ordersByCell.keys()].filter((cell) => cell !== null);
  expect(visited.toSorted()).toEqual(publishedCells.toSorted());
  expect(new Set(publishedCells).size).toBe(8 * 4 + 4 * 2 + 3 * 3 * 2);
  expect(new Set(visited.map(rowOf)).size).toBe(8 + 4 + 3);
});

test("an upscale that is published nowhere costs the native price and the published add-on", () => {
  const orders = ordersByCell.get(null) ?? [];
  const kinds = new Set<string>();
  for (const { order, schedule } of orders) {
    assert("seconds" in order);
    kinds.add(`${order.model} ${order.outputResolution} to ${order.upscaleResolution}`);
    expect(priceOfOrder(order, schedule).credits).toBe(formulaPrice(order, schedule));
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

test("native price and add-on reproduce every published price of a film", () => {
  for (const order of films)
    for (const schedule of schedules) {
      assert("seconds" in order);
      expect(formulaPrice(order, schedule)).toBe(publishedPrice(order, schedule).credits);
    }
});

const anyFilm = fc
  .record({
    kind: fc.constantFrom(...filmKinds),
    spare: fc.integer({ min: 0, max: 12 }),
    mode: fc.integer({ min: 0, max: 4 }),
    videos: fc.array(fc.integer({ min: 1, max: 15_000 }), { maxLength: 3 }),
    defaultDuration: fc.boolean(),
  })
  .map(({ kind, spare, mode, videos, defaultDuration }): Order => {
    const modes =
      kind.model === "happyhorse"
        ? ["text-to-video", "image-to-video", "reference-to-video"]
        : ["text-to-video", "image-to-video", "keyframe", "reference", "reference"];
    const chosen = modes[mode % modes.length] ?? assert.fail();
    const secondsMin = secondsMinOf[kind.model];
    return {
      ...kind,
      mode: chosen,
      inputVideoMs: chosen === "reference" ? videos : [],
      seconds: defaultDuration ? 5 : secondsMin + (spare % (16 - secondsMin)),
      defaultDuration,
    };
  });
const anyPicture = fc
  .record({
    kind: fc.constantFrom(...pictureKinds),
    mode: fc.constantFrom("text-to-image", "edit"),
  })
  .map(({ kind, mode }): Order => ({ ...kind, mode }));
const anyOrder = fc.oneof({ weight: 9, arbitrary: anyFilm }, { weight: 1, arbitrary: anyPicture });

test("whatever is ordered costs its published price, in whole credits that add up", () => {
  const visited = new Set<string | null>();
  fc.assert(
    fc.property(anyOrder, fc.constantFrom(...schedules), (order, schedule) => {
      const published = publishedPrice(order, schedule);
      const { credits, items } = priceOfOrder(order, schedule);
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

type Literal = Partial<Film> & Pick<Film, "seconds" | "inputVideoMs">;

test.each<[string, Literal, number, number]>([
  // In 5 s of film a video counts 5 s (4.2 rounded up), more than 10/3: 4 x (5 + 5).
  ["a video of 4.2 s counts 5 s", { seconds: 5, inputVideoMs: [4_200] }, 40, 300],
  // 4 x (5 + 10/3) = 33.3
  ["a short video counts 2/3 of the film", { seconds: 5, inputVideoMs: [1] }, 34, 250],
  // 4 x (5 + 20/3) = 46.7: with 4 s for each it would be 52, with 14 credits for each 48.
  ["two short videos are rounded once", { seconds: 5, inputVideoMs: [1, 3_000] }, 47, 350],
  // 4 x (5 + 10) = 60: with 4 s for each it would be 68, with 14 credits for each 62.
  ["three thirds make a whole", { seconds: 5, inputVideoMs: [1, 2, 3] }, 60, 450],
  // 4 x (4 + 8/3 + 4) = 42.7: 3.001 s is 4 s, more than 8/3.
  ["each video has a minimum of its own", { seconds: 4, inputVideoMs: [2_000, 3_001] }, 43, 320],
  // 3 s is just above 8/3, 2 s just below.
  ["2/3 of 4 s is less than 3 s", { seconds: 4, inputVideoMs: [2_001] }, 28, 210],
  // 6 s of film make 4 s exactly: 4 x (6 + 4).
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
    "the add-on is for the film alone",
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
])("%s: %j costs %d under A and %d under B", (_, film, a, b) => {
  const order: Order = {
    model: "sd2",
    outputResolution: "720p",
    upscaleResolution: null,
    mode: film.inputVideoMs.length === 0 ? "text-to-video" : "reference",
    defaultDuration: false,
    ...film,
  };
  expect(priceOfOrder(order, "A").credits).toBe(a);
  expect(priceOfOrder(order, "B").credits).toBe(b);
});

test("a quote says what each part of the price is for", () => {
  const { items } = priceOfOrder(
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
  const film = {
    model: "sd2",
    outputResolution: "720p",
    upscaleResolution: "4k",
    seconds: 7,
    inputVideoMs: [4_200],
    mode: "reference",
    defaultDuration: false,
  } as const;
  expect(priceOfOrder(film, "B").items).toEqual([
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
  const picture = { resolution: "1k", mode: "text-to-image" } as const;
  const image = { item: "image", unit: "image", quantity: 1 };
  expect(priceOfOrder({ ...picture, model: "image-pro-2", quality: "high" }, "A").items).toEqual([
    { ...image, description: "image-pro-2 1k high", creditsPerUnit: 13, credits: 13 },
  ]);
  expect(priceOfOrder({ ...picture, model: "image-plus-2", quality: null }, "A").items).toEqual([
    { ...image, description: "image-plus-2 1k", creditsPerUnit: 3, credits: 3 },
  ]);
});

test("a price is refused as long as a video's length is not known", () => {
  const request = planRequest("sd2", {
    videoInputMode: "reference",
    resolution: "720x720",
    videoUrls: ["asset://asset-1-a"],
  });
  expect(() => priceOf(request, "A")).toThrow("a price needs the length of every video");
});

test("a film without a published price is refused, with videos and without, and never free", () => {
  const film = planRequest("sd2-fast", { prompt: "a fox" });
  assert(film.model === "sd2-fast");
  const unpublished = { ...film, outputResolution: "1080p" } as const;
  const withVideo = { ...unpublished, videos: [{ asset: "asset-1-a" }], videoSeconds: [5] };
  for (const request of [unpublished, withVideo])
    expect(() => priceOf(request, "A")).toThrow("sd2-fast has no price for 1080p");
});
