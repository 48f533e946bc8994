import fc from "fast-check";
import { expect, test } from "vitest";
import type { CostFacts } from "../db/tables/tasks.ts";
import { type CostDocument, costDocument } from "./cost-document.ts";
import { type CostedSubmit, costOf } from "./cost-of.ts";

/** Seedance by tokens with a floor, HappyHorse by the second, an image model by three kinds of tokens. */
const document: CostDocument = costDocument.parse({
  currency: "CNY",
  models: {
    seedance: {
      failed: "reported",
      rates: {
        "*": [
          {
            unit: "completion_tokens",
            rate: "4600",
            minimum: "50000",
            estimate: { perSecond: "21600", perInputSecond: "21600" },
          },
        ],
        "720p.withVideo": [{ unit: "completion_tokens", rate: "2800" }],
      },
    },
    happyhorse: {
      failed: "free",
      rates: {
        "720p": [{ unit: "duration", rate: "90000000", estimate: { perSecond: "1" } }],
        "1080p": [{ unit: "duration", rate: "160000000", estimate: { perSecond: "1" } }],
      },
    },
    image: {
      failed: "full",
      rates: {
        "*": [
          { unit: "input_tokens_details.text_tokens", rate: "500", estimate: { perImage: "100" } },
          {
            unit: "input_tokens_details.image_tokens",
            rate: "800",
            isOptional: true,
            estimate: {},
          },
          { unit: "output_tokens", rate: "3000", estimate: { perImage: "1056" } },
        ],
      },
    },
  },
});

const facts: CostFacts = { key: "720p", seconds: 5, inputSeconds: 0, images: 0 };
const image: CostFacts = { key: "1k.medium", seconds: 0, inputSeconds: 0, images: 1 };
const submit = (model: string, change: Partial<CostedSubmit> = {}): CostedSubmit => ({
  model,
  facts,
  end: "succeeded",
  ...change,
});

test("what is reported is charged by its rate", () => {
  expect(
    costOf({ completion_tokens: "108900", total_tokens: "1" }, submit("seedance"), document),
  ).toEqual({
    units: { completion_tokens: "108900" },
    micros: 500_940_000n,
    currency: "CNY",
    source: "reported",
  });
});

test("a decimal is charged exactly, and rounded once to the nearest millionth", () => {
  const micros = (duration: string) => costOf({ duration }, submit("happyhorse"), document).micros;
  expect(micros("5.04")).toBe(453_600_000n);
  expect(micros("0.000000000001")).toBe(0n);
  expect(micros("0.000000005555")).toBe(0n); // 0.49995
  expect(micros("0.000000005556")).toBe(1n); // 0.50004
});

test("the rate of the request's key counts, and that of all others where there is none", () => {
  const withVideo = { ...facts, key: "720p.withVideo" };
  const used = { completion_tokens: "100000" };
  expect(costOf(used, submit("seedance", { facts: withVideo }), document).micros).toBe(
    280_000_000n,
  );
  expect(
    costOf(used, submit("seedance", { facts: { ...facts, key: "480p" } }), document).micros,
  ).toBe(460_000_000n);
});

test("less than the minimum is charged as the minimum", () => {
  expect(costOf({ completion_tokens: "7" }, submit("seedance"), document)).toMatchObject({
    units: { completion_tokens: "50000" },
    source: "reported",
  });
});

test("several units of a job are charged by a rate each, and one may be missing that is optional", () => {
  const used = { "input_tokens_details.text_tokens": "10", output_tokens: "1056" };
  expect(costOf(used, submit("image", { facts: image }), document)).toEqual({
    units: {
      "input_tokens_details.text_tokens": "10",
      "input_tokens_details.image_tokens": "0",
      output_tokens: "1056",
    },
    micros: 3_173_000n,
    currency: "CNY",
    source: "reported",
  });
});

test("where the vendor reports nothing, or not the unit that it charges, the cost is estimated", () => {
  const withInput = { ...facts, inputSeconds: 3 };
  for (const usage of [null, { total_tokens: "5" }])
    expect(costOf(usage, submit("seedance", { facts: withInput }), document)).toEqual({
      units: { completion_tokens: "172800" },
      micros: 794_880_000n,
      currency: "CNY",
      source: "estimated",
    });
});

test("a failed job is free, as reported or full, as the document says", () => {
  const failed = (model: string, change = {}) => submit(model, { end: "failed", ...change });
  expect(costOf({ duration: "5" }, failed("happyhorse"), document)).toEqual({
    units: {},
    micros: 0n,
    currency: "CNY",
    source: "free",
  });
  expect(costOf({ completion_tokens: "0" }, failed("seedance"), document)).toMatchObject({
    units: { completion_tokens: "0" }, // the minimum is that of a video
    micros: 0n,
    source: "reported",
  });
  expect(costOf(null, failed("seedance"), document)).toMatchObject({
    micros: null,
    source: "unknown",
  });
  expect(costOf(null, failed("image", { facts: image }), document)).toMatchObject({
    micros: 3_218_000n,
    source: "estimated",
  });
});

test("a submit that is not over, or whose answer was lost, counts its estimate as unknown", () => {
  const used = { completion_tokens: "1" };
  for (const usage of [null, used])
    expect(costOf(usage, submit("seedance", { end: "unknown" }), document)).toEqual({
      units: { completion_tokens: "108000" },
      micros: 496_800_000n,
      currency: "CNY",
      source: "unknown",
    });
});

test("without a rate, or with an amount that nobody charges, the cost is unknown", () => {
  const unknown = { micros: null, source: "unknown" };
  const cases = [
    costOf({ duration: "5" }, submit("another"), document),
    costOf({ duration: "5" }, submit("constructor"), document),
    costOf({ duration: "5" }, submit("happyhorse", { facts: { ...facts, key: "4k" } }), document),
    costOf(
      { duration: "5" },
      submit("happyhorse", { facts: { ...facts, key: "__proto__" } }),
      document,
    ),
    costOf({ duration: "999999999999" }, submit("happyhorse"), document),
    costOf(null, submit("seedance", { facts: { ...facts, key: "720p.withVideo" } }), document),
  ];
  for (const cost of cases) expect(cost).toMatchObject(unknown);
});

const decimal = fc
  .tuple(fc.bigInt(0n, 10n ** 6n), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, part]) => ({
    text: part === 0 ? String(whole) : `${whole}.${String(part).padStart(6, "0")}`,
    millionths: whole * 1_000_000n + BigInt(part),
  }));
const rate = fc.bigInt(0n, 10n ** 8n);
const ends = fc.constantFrom("succeeded", "failed", "unknown" as const);
const modes = fc.constantFrom("free", "reported", "full" as const);

const byRates = (rates: readonly { unit: string; rate: bigint }[], failed = "full") =>
  costDocument.parse({
    currency: "USD",
    models: {
      m: {
        failed,
        rates: { "*": rates.map(({ unit, rate: one }) => ({ unit, rate: String(one) })) },
      },
    },
  });

test("property: the cost is within half a millionth of the exact product, for each unit", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(decimal, rate), { minLength: 1, maxLength: 10 }), (all) => {
      const rates = all.map(([, one], index) => ({ unit: `u${index}`, rate: one }));
      const usage = Object.fromEntries(all.map(([{ text }], index) => [`u${index}`, text]));
      const { micros, units } = costOf(usage, submit("m"), byRates(rates));
      const exact = all.reduce((sum, [{ millionths }, one]) => sum + millionths * one, 0n);
      const difference = (micros ?? -1n) * 1_000_000n - exact;
      const half = 500_000n * BigInt(all.length);
      expect(difference <= half && difference >= -half).toBe(true);
      expect(Object.keys(units)).toHaveLength(all.length);
    }),
  );
});

test("property: more of a unit never costs less, and a job that fails never more than one that succeeds", () => {
  fc.assert(
    fc.property(decimal, decimal, rate, modes, (a, b, one, failed) => {
      const byRate = byRates([{ unit: "u", rate: one }], failed);
      const cost = (text: string, end: CostedSubmit["end"] = "succeeded") =>
        costOf({ u: text }, submit("m", { end }), byRate).micros ?? -1n;
      const [less, more] = a.millionths < b.millionths ? [a, b] : [b, a];
      expect(cost(less.text) <= cost(more.text)).toBe(true);
      expect(cost(a.text, "failed") <= cost(a.text)).toBe(true);
    }),
  );
});

test("property: whatever is reported, a cost is an integer that fits, or unknown", () => {
  const texts = fc.stringMatching(/^\d{1,12}(\.\d{1,12})?$/);
  const reports = fc.option(
    fc.dictionary(fc.constantFrom("u", "v", "__proto__", "toString"), texts),
  );
  fc.assert(
    fc.property(reports, fc.bigInt(0n, 10n ** 12n - 1n), ends, modes, (usage, one, end, failed) => {
      const rates = ["u", "v", "toString"].map((unit) => ({ unit, rate: one }));
      const cost = costOf(usage, submit("m", { end }), byRates(rates, failed));
      if (cost.micros === null) expect(cost.source).toBe("unknown");
      else expect(cost.micros >= 0n && cost.micros <= 10n ** 15n).toBe(true);
      for (const count of Object.values(cost.units)) expect(count).toMatch(/^\d+(\.\d{1,12})?$/);
    }),
  );
});

test.each<[string, object]>([
  ["a rate that is a number", { rate: 5 }],
  ["a rate with a fraction", { rate: "0.5" }],
  ["a negative rate", { rate: "-1" }],
  ["a rate of thirteen digits", { rate: "1000000000000" }],
  ["a minimum that is a number", { rate: "1", minimum: 0.1 }],
  ["an estimate with an exponent", { rate: "1", estimate: { perSecond: "1e3" } }],
  ["a unit that is no name", { rate: "1", unit: "a b" }],
  ["an unknown member", { rate: "1", price: "1" }],
])("%s is refused", (_what, change) => {
  const rates = { "*": [{ unit: "u", ...change }] };
  const models = { m: { failed: "free", rates } };
  expect(costDocument.safeParse({ currency: "USD", models }).success).toBe(false);
});
