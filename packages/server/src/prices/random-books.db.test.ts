import assert from "node:assert";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endings } from "../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { anyTask, firstRates, inputsOf, requestOf } from "../../test/priced-tasks.ts";
import type { Caller } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import { quoteTask } from "../generation/quote-task.ts";
import { models } from "../models/catalogue.ts";
import { requireModel } from "../models/plan-request.ts";
import { discountUnits, priceOf, priceOfLines } from "../models/prices.ts";
import type { Rates } from "../models/rates.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { type PriceDocument, upscalerPriced } from "./document.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const anyRate = fc.integer({ min: 1, max: 1_000_000 });
const anyDiscount = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: discountUnits - 1 }));

/** Rates for every key of every model. */
const anyDocument: fc.Arbitrary<PriceDocument> = fc.record(
  Object.fromEntries(
    [...models, upscalerPriced].map(({ name, rateKeys }) => [
      name,
      fc.record(Object.fromEntries(rateKeys.map((key) => [key, anyRate]))),
    ]),
  ),
);

function ratesOf(document: PriceDocument, model: string): Rates {
  return document[model] ?? assert.fail();
}

test("for any rates and any discount a price is whole, at least 1, exact to the discount, and that of its lines", () => {
  fc.assert(
    fc.property(anyTask, anyDocument, anyDiscount, (task, document, discount) => {
      const { model, request } = requestOf(task);
      const rates = ratesOf(document, task.model);
      const list = priceOf(model, request, rates);
      const price = priceOf(model, request, rates, discount);
      const off = BigInt(list.credits) * BigInt(discountUnits - discount);
      const exact = (off + BigInt(discountUnits) - 1n) / BigInt(discountUnits);
      assert.strictEqual(BigInt(price.credits), exact > 1n ? exact : 1n);
      for (const { credits, creditsPerUnit } of price.items)
        assert(Number.isSafeInteger(credits) && Number.isSafeInteger(creditsPerUnit));
      const sum = price.items.reduce((total, item) => total + item.credits, 0);
      assert.strictEqual(sum, price.credits);
      const stored = JSON.parse(JSON.stringify(price.lines));
      assert.deepStrictEqual(priceOfLines(task.model, stored, discount), price);
    }),
    { numRuns: 20_000 },
  );
});

/** An account that pays by a new book, with a discount. */
async function openAccount(document: PriceDocument, basisPoints: number): Promise<Caller> {
  const book = `book-${crypto.randomUUID().slice(0, 8)}`;
  await bed.database.sql("insert into price_books (name) values ($1)", [book]);
  await publish(book, 1, document);
  const caller = await bed.openAccount({ credits: 2_000_000_000, priceBook: book });
  const discount = basisPoints === 0 ? null : { basisPoints, until: Date.now() + 3_600_000 };
  await bed.database.sql(
    "update accounts set discount = $2, discount_until = to_timestamp($3::float8 / 1000) where id = $1",
    [caller.id, discount?.basisPoints ?? null, discount?.until ?? null],
  );
  return { ...caller, discount };
}

async function publish(book: string, version: number, document: PriceDocument): Promise<void> {
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, $2, $3, clock_timestamp(), 'command', 'root')`,
    [book, version, JSON.stringify(document)],
  );
  await bed.ctx.prices.refresh();
}

test("for any book the quote is the hold, and the hold is the charge, whatever is published meanwhile", async () => {
  const anyCase = fc.record({
    // Videos as inputs are assets, which would have to be stored.
    task: anyTask.filter((task) => !("inputVideoMs" in task) || task.mode === "text-to-video"),
    document: anyDocument,
    later: anyDocument,
    discount: anyDiscount,
  });
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ task, document, later, discount }) => {
      const caller = await openAccount(document, discount);
      const body = { model: task.model, inputs: inputsOf(task) };
      const quoted = await quoteTask(bed.ctx, caller, body);
      const { taskId } = await createTask(bed.ctx, caller, body, null);
      const sums = async () => {
        const [row] = await bed.database.sql<{ credits: string; held: string; price: string }>(
          `select a.credits, a.held, t.credits as price from accounts a, tasks t
           where a.id = $1 and t.id = $2`,
          [caller.id, taskId],
        );
        return row;
      };
      expect(await sums()).toMatchObject({ held: String(quoted.credits) });
      await publish(caller.priceBook ?? "", 2, later);
      await finishTask(bed.ctx, taskId, endings.COMPLETED);
      expect(await sums()).toEqual({
        credits: String(2_000_000_000 - quoted.credits),
        held: "0",
        price: String(quoted.credits),
      });
    }),
    { numRuns: 60 },
  );
});

test("the first books have rates of every model", () => {
  for (const model of [...models, upscalerPriced])
    for (const book of ["A", "B"])
      expect(Object.keys(firstRates(model, book)).sort()).toEqual([...model.rateKeys].sort());
  expect(requireModel(models, "sd2").rateKeys).toContain("720p.withVideo");
});
