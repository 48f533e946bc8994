import type { Client } from "@zoetrope/testkit/api-client.ts";
import type { Quote } from "@zoetrope/testkit/api-types.ts";
import { expect, test } from "vitest";
import { main, scheduleB } from "../src/client.ts";
import { audios, images, modes } from "../src/examples.ts";
import {
  imagePrices,
  type PricePerSecond,
  videoPrices,
  videoPricesBetween,
} from "../src/price-table.ts";

const prompt = "A paper boat";

/** The prices of every available length, in order. */
async function pricesOf(client: Client, { model, inputs, seconds }: PricePerSecond) {
  const [min, max] = seconds;
  const lengths = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const quotes = await Promise.all(
    lengths.map((length) => client.price(model, { prompt, duration: `${length}s`, ...inputs })),
  );
  for (const quote of quotes) expect(sumOf(quote)).toBe(quote.credits);
  return { lengths, prices: quotes.map(({ credits }) => credits) };
}

function sumOf({ items }: Quote): number {
  return items.reduce((sum, { credits }) => sum + credits, 0);
}

for (const row of videoPrices)
  for (const schedule of ["A", "B"] as const)
    test(`§8 schedule ${schedule}: ${row.item} costs ${row[schedule]} x out, for ${row.seconds.join(" to ")} s`, async () => {
      const { lengths, prices } = await pricesOf(schedule === "A" ? main : scheduleB, row);
      expect(prices).toEqual(lengths.map((length) => length * row[schedule]));
    });

for (const row of videoPricesBetween)
  for (const schedule of ["A", "B"] as const)
    test(`§8 schedule ${schedule}: ${row.item} costs the output's price and the add-on, ${row[schedule]} x out`, async () => {
      const { lengths, prices } = await pricesOf(schedule === "A" ? main : scheduleB, row);
      expect(prices).toEqual(lengths.map((length) => length * row[schedule]));
    });

for (const { item, model, inputs, A, B } of imagePrices)
  test(`§8 ${item} costs ${A} under schedule A and ${B} under B`, async () => {
    const body = { prompt, ...inputs };
    expect((await main.price(model, body)).credits).toBe(A);
    expect((await scheduleB.price(model, body)).credits).toBe(B);
  });

test("§8 image credits are per image: an edit of ten reference images costs no more", async () => {
  for (const { model, inputs, A, B } of imagePrices) {
    const edit = { prompt, ...inputs, urls: images(10) };
    expect((await main.price(model, edit)).credits).toBe(A);
    expect((await scheduleB.price(model, edit)).credits).toBe(B);
  }
});

test("§8 happyhorse: reference images are not billed, and all modes have the same rate", async () => {
  const tab = { videoWorkflowTab: "multi-reference" };
  for (const inputs of [
    { prompt },
    { urls: images(1) },
    { prompt, urls: images(1), ...tab },
    { prompt, urls: images(9), ...tab },
  ]) {
    expect((await main.price("happyhorse", inputs)).credits).toBe(25);
    expect((await scheduleB.price("happyhorse", inputs)).credits).toBe(160);
  }
});

for (const [model, A, B] of [
  ["sd2", 30, 200],
  ["sd2-fast", 25, 160],
] as const)
  test(`§8 ${model}: images and audio are no video input, the price is that without it`, async () => {
    const reference = { prompt, videoInputMode: "reference", resolution: "1280x720" };
    for (const inputs of [
      { prompt },
      { urls: images(1) },
      { urls: images(2) },
      { ...reference, urls: images(9), audioUrls: audios(3) },
      { prompt, generateAudio: false },
    ]) {
      expect((await main.price(model, inputs)).credits).toBe(A);
      expect((await scheduleB.price(model, inputs)).credits).toBe(B);
    }
  });

test("a quote says what its price is made of, and the items add up to it", async () => {
  const inputs = { prompt, duration: "7s", upscaleResolution: "4k" };
  const quote = await main.price("sd2", inputs);
  const described = { description: expect.any(String), unit: "second", quantity: 7 };
  expect(quote).toEqual({
    credits: 7 * (6 + 7),
    priceVersion: "A@1",
    items: [
      { ...described, item: "output", creditsPerUnit: 6, credits: 42 },
      { ...described, item: "upscale", creditsPerUnit: 7, credits: 49 },
    ],
  });
});

test("a quote of an image has one item, the image", async () => {
  expect(await main.price("image-plus-2", { prompt })).toEqual({
    credits: 6,
    priceVersion: "A@1",
    items: [
      {
        item: "image",
        description: expect.any(String),
        unit: "image",
        quantity: 1,
        creditsPerUnit: 6,
        credits: 6,
      },
    ],
  });
});

for (const { model, mode, inputs, creditsA } of modes)
  test(`a quote is what createTask holds: ${model} ${mode}, ${creditsA}`, async () => {
    expect((await main.price(model, inputs)).credits).toBe(creditsA);
  });
