import type { Client } from "@zoetrope/testkit/api-client.ts";
import { expect, test } from "vitest";
import { main, scheduleB } from "../src/client.ts";
import { imagePrices, videoPrices } from "../src/price-table.ts";

interface Model {
  model: string;
  kind: string;
  modes: { mode: string; when: string }[];
  inputs: { anyOf: { title: string; properties: Record<string, unknown> }[] };
  prices: {
    seconds?: { outputResolution: string; creditsPerSecond: number }[];
    upscale?: { upscaleResolution: string; creditsPerSecond: number }[];
    images?: { resolution: string; quality: string | null; creditsPerImage: number }[];
  };
}

async function read(client: Client): Promise<Model[]> {
  const answer = await client.get("/api/v1/models");
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { models: Model[] } & typeof answer.body).models;
}

async function find(client: Client, name: string): Promise<Model> {
  const found = (await read(client)).find(({ model }) => model === name);
  if (found === undefined) throw new Error(`${name} is not in the catalogue`);
  return found;
}

const kinds = {
  sd2: "video",
  "sd2-fast": "video",
  happyhorse: "video",
  "image-pro-2": "image",
  "image-plus-2": "image",
};

test("§1 the catalogue has the five models, each with its kind", async () => {
  const found = (await read(main)).map(({ model, kind }) => [model, kind]);
  expect(Object.fromEntries(found)).toEqual(kinds);
});

for (const [name, modes] of Object.entries({
  sd2: ["text-to-video", "image-to-video", "keyframe", "reference"],
  "sd2-fast": ["text-to-video", "image-to-video", "keyframe", "reference"],
  happyhorse: ["text-to-video", "image-to-video", "reference-to-video"],
  "image-pro-2": ["text-to-image", "edit"],
  "image-plus-2": ["text-to-image", "edit"],
}))
  test(`§1 ${name} has the modes ${modes.join(", ")}, and says what selects each`, async () => {
    const found = await find(main, name);
    expect(found.modes.map(({ mode }) => mode)).toEqual(modes);
    for (const { when } of found.modes) expect(when).not.toBe("");
  });

for (const [name, parameters] of Object.entries({
  sd2: [
    "audioUrls",
    "duration",
    "generateAudio",
    "outputResolution",
    "prompt",
    "resolution",
    "seed",
    "upscaleResolution",
    "urls",
    "videoInputMode",
    "videoUrls",
  ],
  happyhorse: [
    "duration",
    "outputResolution",
    "prompt",
    "ratio",
    "seed",
    "upscaleResolution",
    "urls",
    "videoWorkflowTab",
  ],
  "image-pro-2": ["aspectRatio", "outputFormat", "prompt", "quality", "resolution", "urls"],
  "image-plus-2": ["aspectRatio", "prompt", "resolution", "urls"],
}))
  test(`§4.1 the catalogue describes every parameter of ${name}, and no other`, async () => {
    const { inputs } = await find(main, name);
    const described = inputs.anyOf.flatMap(({ properties }) => Object.keys(properties));
    expect([...new Set(described)].sort()).toEqual(parameters);
  });

for (const schedule of ["A", "B"] as const)
  test(`§8 an account on schedule ${schedule} sees schedule ${schedule}'s prices`, async () => {
    const models = await read(schedule === "A" ? main : scheduleB);
    for (const row of videoPrices) {
      const prices = models.find(({ model }) => model === row.model)?.prices;
      const { outputResolution = "720p", upscaleResolution } = row.inputs;
      const base = prices?.seconds?.find((one) => one.outputResolution === outputResolution);
      const extra = prices?.upscale?.find((one) => one.upscaleResolution === upscaleResolution);
      expect((base?.creditsPerSecond ?? 0) + (extra?.creditsPerSecond ?? 0), row.item).toBe(
        row[schedule],
      );
    }
    for (const row of imagePrices) {
      const prices = models.find(({ model }) => model === row.model)?.prices.images;
      const { resolution, quality = null } = row.inputs;
      const price = prices?.find((one) => one.resolution === resolution && one.quality === quality);
      expect(price?.creditsPerImage, row.item).toBe(row[schedule]);
    }
  });

for (const [schedule, client, prices] of [
  ["A", main, { "1080p": 3, "2k": 5, "4k": 7 }],
  ["B", scheduleB, { "1080p": 25, "2k": 38, "4k": 50 }],
] as const)
  test(`§8 the catalogue has the upscaler's credits per second under schedule ${schedule}`, async () => {
    const { body } = await client.get("/api/v1/models");
    const upscaler = body["upscaler"] as {
      targets: { targetResolution: string; creditsPerSecond: number }[];
    };
    const listed = upscaler.targets.map((one) => [one.targetResolution, one.creditsPerSecond]);
    expect(Object.fromEntries(listed)).toEqual(prices);
  });

test("the catalogue has an ETag, the same as long as nothing changes", async () => {
  const [first, second] = await Promise.all([
    main.get("/api/v1/models"),
    main.get("/api/v1/models"),
  ]);
  expect(first.headers.get("etag")).toMatch(/^(W\/)?".+"$/);
  expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
});

test("another price schedule has another ETag", async () => {
  const [a, b] = await Promise.all([main.get("/api/v1/models"), scheduleB.get("/api/v1/models")]);
  expect(a.headers.get("etag")).not.toBe(b.headers.get("etag"));
});
