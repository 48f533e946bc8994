import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTask } from "../../generation/create-task.ts";
import type { Actor } from "../../ids.ts";
import type { PriceDocument } from "../../prices/document.ts";
import { readFirstBooks } from "../../prices/first-books.ts";
import { changeAccount } from "../accounts/change-account.ts";
import { previewPrices } from "./preview-draft.ts";
import { decideDraft, publishDraft } from "./publish-draft.ts";
import { createBook, dropDraft, writeDraft } from "./write-draft.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ PRICE_CHANGE_PERCENT_MAX: "20" });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const ada: Actor = { kind: "command", user: "ada", address: null, requestId: null };
const grace: Actor = { kind: "command", user: "grace", address: null, requestId: null };
const first = readFirstBooks().get("A") ?? {};
const inTwoMinutes = () => new Date(Date.now() + 2 * 60_000);

/** The rates of book A with another one for 720p of sd2, which is 6 there. */
function withRate(rate: number): PriceDocument {
  return { ...first, sd2: { ...first["sd2"], "720p": rate } };
}

/** A book whose version 1, with the rates of A, has been in force for days. */
async function openBook(days = 60): Promise<string> {
  const name = `book-${randomUUID().slice(0, 8)}`;
  await createBook(bed.ctx, ada, { name, description: "for resellers" });
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, 1, $2, now() - $3 * interval '1 day', 'command', 'ada')`,
    [name, JSON.stringify(first), days],
  );
  return name;
}

const publish = (book: string, actor = ada, validFrom = inTwoMinutes()) =>
  publishDraft(bed.ctx, actor, book, { validFrom, reason: "costs fell" });
const versionsOf = (book: string) =>
  bed.database.sql<{ version: number; published_by: string }>(
    "select version, published_by from price_versions where book = $1 order by version",
    [book],
  );
const auditOf = async (book: string) => {
  const rows = await bed.database.sql<{ action: string }>(
    "select action from audit_entries where object like $1 || '%' order by id",
    [book],
  );
  return rows.map(({ action }) => action);
};

test("a draft becomes the next version, is gone then, and every step is in the audit", async () => {
  const book = await openBook();
  await writeDraft(bed.ctx, ada, book, withRate(7));
  expect(await publish(book)).toEqual({ status: "published", version: 2 });
  await bed.ctx.prices.refresh();
  expect(bed.ctx.prices.current().get(book)?.at(-1)?.document).toEqual(withRate(7));
  await expect(publish(book)).rejects.toMatchObject({ code: "price_draft_not_found" });
  expect(await auditOf(book)).toEqual([
    "price_book.create",
    "price_draft.write",
    "price_version.publish",
  ]);
});

test("a version begins at least 60 s ahead, and after the last one", async () => {
  const book = await openBook();
  await writeDraft(bed.ctx, ada, book, withRate(7));
  const refused = { code: "invalid_parameters", param: "validFrom" };
  for (const aheadMs of [-1_000, 0, 58_000])
    await expect(publish(book, ada, new Date(Date.now() + aheadMs))).rejects.toMatchObject(refused);
  await publish(book, ada, new Date(Date.now() + 3_600_000));
  await writeDraft(bed.ctx, ada, book, withRate(6));
  await expect(publish(book)).rejects.toMatchObject(refused);
});

test("a rate that changes by more than the limit waits for a second person, whoever else asks", async () => {
  const book = await openBook();
  await writeDraft(bed.ctx, ada, book, withRate(8)); // a third more
  expect(await publish(book)).toEqual({ status: "pending", version: null });
  expect(await versionsOf(book)).toHaveLength(1);
  await expect(decideDraft(bed.ctx, ada, book, { isApproved: true })).rejects.toMatchObject({
    code: "second_person_needed",
  });
  const approved = await decideDraft(bed.ctx, grace, book, { isApproved: true });
  expect(approved).toEqual({ status: "published", version: 2 });
  expect((await versionsOf(book)).at(-1)).toEqual({ version: 2, published_by: "ada" });
});

test("what waits and is changed waits no longer; what is rejected stays a draft", async () => {
  const book = await openBook();
  await writeDraft(bed.ctx, ada, book, withRate(60));
  await publish(book);
  await writeDraft(bed.ctx, ada, book, withRate(600));
  const decided = decideDraft(bed.ctx, grace, book, { isApproved: true });
  await expect(decided).rejects.toMatchObject({ code: "price_draft_not_asked" });
  await publish(book);
  expect(await decideDraft(bed.ctx, grace, book, { isApproved: false })).toBeNull();
  await dropDraft(bed.ctx, ada, book);
  expect(await versionsOf(book)).toHaveLength(1);
});

test("many small changes within 30 days are one large one", async () => {
  const book = await openBook();
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, 2, $2, now() - interval '1 day', 'command', 'ada')`,
    [book, JSON.stringify(withRate(7))],
  );
  await writeDraft(bed.ctx, ada, book, withRate(8)); // a seventh more than yesterday, a third more than last month
  expect(await publish(book)).toMatchObject({ status: "pending" });
});

test("the first version of a book is measured against the deployment's own: a cheap book for a friend needs two", async () => {
  const book = `book-${randomUUID().slice(0, 8)}`;
  await createBook(bed.ctx, ada, { name: book, description: "" });
  await writeDraft(bed.ctx, ada, book, withRate(1));
  expect(await publish(book)).toMatchObject({ status: "pending" });
  await writeDraft(bed.ctx, ada, book, withRate(7));
  expect(await publish(book)).toMatchObject({ status: "published" });
});

test("one person alone gives no discount beyond the limit of price changes", async () => {
  const { id } = await bed.openAccount();
  const until = Date.now() + 3_600_000;
  const give = (basisPoints: number) =>
    changeAccount(bed.ctx, ada, id, { discount: { basisPoints, until } });
  await expect(give(2_001)).rejects.toMatchObject({ code: "second_person_needed" });
  const [row] = await bed.database.sql("select discount from accounts where id = $1", [id]);
  expect(row).toEqual({ discount: null });
  await give(2_000);
});

test("taking a model out of a book is a change that needs a second person", async () => {
  const book = await openBook();
  const { sd2: _, ...others } = first;
  await writeDraft(bed.ctx, ada, book, others);
  expect(await publish(book)).toMatchObject({ status: "pending" });
});

test("a draft that was begun before another version was published takes nothing back unseen", async () => {
  const book = await openBook();
  await writeDraft(bed.ctx, ada, book, withRate(7));
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, 2, $2, now() - interval '1 minute', 'command', 'grace')`,
    [book, JSON.stringify(withRate(5))],
  );
  await expect(publish(book)).rejects.toMatchObject({ code: "price_draft_outdated" });
});

test.each<[string, PriceDocument, string]>([
  ["a model that there is not", { ...first, sd9: { "720p": 1 } }, "document.sd9"],
  ["a rate that there is not", { ...first, sd2: { ...first["sd2"], "8k": 1 } }, "document.sd2"],
  ["a rate too few", { ...first, sd2: { "720p": 6 } }, "document.sd2"],
  ["no upscaler", { sd2: first["sd2"] ?? {} }, "document.upscale"],
])("a draft with %s is refused, and says where", async (_, document, param) => {
  const book = await openBook();
  await expect(writeDraft(bed.ctx, ada, book, document)).rejects.toMatchObject({
    code: "invalid_parameters",
    param,
  });
});

test("a preview prices finished tasks of the book again, without those of test accounts and of other books", async () => {
  const book = await openBook();
  await bed.ctx.prices.refresh();
  const account = await bed.openAccount({ priceBook: book, openTasksMax: 10 });
  const test = await bed.openAccount({ priceBook: book });
  await bed.database.sql("update accounts set test_of = $1 where id = $2", [account.id, test.id]);
  const elsewhere = await bed.openAccount({ priceBook: "A" });
  const video = { model: "sd2", inputs: { prompt: "a fox" } };
  const image = { model: "image-plus-2", inputs: { prompt: "a fox" } };
  for (const [caller, body] of [
    [account, video],
    [account, video],
    [account, image],
    [test, video],
    [elsewhere, video],
  ] as const)
    await createTask(bed.ctx, caller, body, null);
  await bed.database.sql(
    "update tasks set status = 'COMPLETED', output = '[]', completed_at = now() where status = 'PENDING'",
  );
  const { "image-plus-2": _, ...document } = withRate(9);
  expect(await previewPrices(bed.ctx, { book, document, days: 30 })).toEqual([
    { model: "image-plus-2", tasks: 1, creditsBefore: 0, creditsAfter: 0, refused: 1 },
    { model: "sd2", tasks: 2, creditsBefore: 60, creditsAfter: 90, refused: 0 },
  ]);
});

test("a book is created once", async () => {
  const again = createBook(bed.ctx, ada, { name: "A", description: "" });
  await expect(again).rejects.toMatchObject({ code: "price_book_exists" });
});
