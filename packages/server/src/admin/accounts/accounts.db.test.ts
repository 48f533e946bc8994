import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { findStaffAccount, listNotes } from "../../accounts/staff-queries.ts";
import { createTask } from "../../generation/create-task.ts";
import { type AccountId, type Actor, newId, type PersonId } from "../../ids.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { addNote } from "./add-note.ts";
import { changeAccount } from "./change-account.ts";
import { createCustomerAccount } from "./create-customer-account.ts";
import { searchAccounts } from "./search-accounts.ts";
import { resumeAccount, suspendAccount } from "./suspend-account.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const operator: Actor = {
  kind: "person",
  personId: newId<PersonId>(0),
  address: "192.0.2.7",
  requestId: randomUUID(),
};
const body = { model: "sd2", inputs: { prompt: "a fox" } };

const auditOf = (accountId: AccountId) =>
  bed.ctx.db
    .selectFrom("audit_entries")
    .select(["action", "before", "after", "reason"])
    .where("object", "=", accountId)
    .orderBy("id")
    .execute();

test("a suspended account gets nothing accepted from the moment of the commit; what runs ends, and it can be resumed", async () => {
  const caller = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, caller, body, "first");
  await suspendAccount(bed.ctx, operator, caller.id, "chargeback");
  await expect(createTask(bed.ctx, caller, body, "second")).rejects.toMatchObject({
    code: "account_suspended",
  });
  expect(await createTask(bed.ctx, caller, body, "first")).toMatchObject({
    taskId,
    replayed: true,
  });
  expect(await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" })).toBe(true);
  await resumeAccount(bed.ctx, operator, caller.id, "paid");
  await createTask(bed.ctx, caller, body, "second");
  expect(await auditOf(caller.id)).toMatchObject([
    { action: "account.suspend", after: { isSuspended: true }, reason: "chargeback" },
    { action: "account.resume", after: { isSuspended: false }, reason: "paid" },
  ]);
});

test("40 tasks raced with a suspension: none is accepted after it", async () => {
  const caller = await bed.openAccount({ credits: 1_000_000, openTasksMax: 1_000 });
  let isSuspended = false;
  const acceptedLater: boolean[] = [];
  const create = async () => {
    const began = isSuspended;
    await createTask(bed.ctx, caller, body, null);
    acceptedLater.push(began);
  };
  const tasks = Array.from({ length: 20 }, create);
  const suspended = suspendAccount(bed.ctx, operator, caller.id, "abuse").then(() => {
    isSuspended = true;
  });
  const results = await Promise.allSettled(tasks);
  await suspended;
  results.push(...(await Promise.allSettled(Array.from({ length: 20 }, create))));
  for (const result of results)
    if (result.status === "rejected")
      expect(["account_suspended", "account_busy"]).toContain(result.reason.code); // busy: the machine is slow
  expect(acceptedLater).not.toContain(true);
});

test("a test account is suspended with its account, also one that is made later", async () => {
  const { id } = await bed.openAccount();
  const { accountId: testId } = await createTestAccount(bed.ctx, id);
  await suspendAccount(bed.ctx, operator, id, "chargeback");
  expect((await findStaffAccount(bed.ctx.db, testId))?.suspendedAt).toBeInstanceOf(Date);
  await resumeAccount(bed.ctx, operator, id, "paid");
  expect((await findStaffAccount(bed.ctx.db, testId))?.suspendedAt).toBeNull();
  const other = await bed.openAccount();
  await suspendAccount(bed.ctx, operator, other.id, "chargeback");
  const later = await createTestAccount(bed.ctx, other.id);
  expect((await findStaffAccount(bed.ctx.db, later.accountId))?.suspendedAt).toBeInstanceOf(Date);
});

test("suspending again changes nothing and leaves no second entry", async () => {
  const { id } = await bed.openAccount();
  await suspendAccount(bed.ctx, operator, id, "chargeback");
  await suspendAccount(bed.ctx, operator, id, "another reason");
  expect(await auditOf(id)).toMatchObject([{ reason: "chargeback" }]);
  const missing = suspendAccount(bed.ctx, operator, newId<AccountId>(0), "nobody");
  await expect(missing).rejects.toMatchObject({ code: "account_not_found" });
});

test("a change of limits says what was before and after, of what changed alone", async () => {
  const { accountId } = await createCustomerAccount(bed.ctx, operator, {
    name: "Ada",
    openTasksMax: 5,
  });
  await changeAccount(bed.ctx, operator, accountId, { openTasksMax: 9, storedBytesMax: 1_000 });
  await changeAccount(bed.ctx, operator, accountId, { priceBook: "B" });
  await changeAccount(bed.ctx, operator, accountId, { priceBook: null });
  expect(await auditOf(accountId)).toMatchObject([
    { action: "account.create", after: { name: "Ada", openTasksMax: 5 } },
    {
      action: "account.change",
      before: { openTasksMax: 5, storedBytesMax: null },
      after: { openTasksMax: 9, storedBytesMax: 1_000 },
    },
    { before: { priceBook: null }, after: { priceBook: "B" } },
    { before: { priceBook: "B" }, after: { priceBook: null } },
  ]);
});

test("notes are the operators' alone: the account's audit does not tell that there is one", async () => {
  const { id } = await bed.openAccount();
  await addNote(bed.ctx, operator, id, "calls every Monday");
  expect(await listNotes(bed.ctx.db, id, { before: null, rowsMax: 10 })).toMatchObject([
    { note: "calls every Monday", actorKind: "person" },
  ]);
  const ofAccount = await bed.ctx.db
    .selectFrom("audit_entries")
    .select("id")
    .where("account_id", "=", id)
    .execute();
  expect(ofAccount).toEqual([]);
  expect(await auditOf(id)).toMatchObject([{ action: "account.note" }]);
});

test("a search by name is by prefix, in any case, page by page without a gap", async () => {
  const mark = randomUUID();
  const names = ["Été", "Zebra", "alpha", "Alpha", "ALPHA%", "alphabet", "b_a"].map(
    (name) => `${mark} ${name}`,
  );
  for (const name of names) await createCustomerAccount(bed.ctx, operator, { name });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchAccounts(bed.ctx.db, { name: `${mark} ALPHA`, cursor, limit: 2 });
    found.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found.sort()).toEqual(names.filter((name) => /alpha/i.test(name)).sort());
  const none = await searchAccounts(bed.ctx.db, { name: `${mark} %`, limit: 10 });
  expect(none.items).toEqual([]);
});

test("all accounts are listed newest first; suspended ones on their own", async () => {
  const first = await bed.openAccount({ credits: 0 });
  const second = await bed.openAccount({ credits: 0 });
  await suspendAccount(bed.ctx, operator, first.id, "abuse");
  const page = await searchAccounts(bed.ctx.db, { limit: 1 });
  expect(page.items.map(({ id }) => id)).toEqual([second.id]);
  const next = await searchAccounts(bed.ctx.db, { limit: 1, cursor: page.nextCursor ?? "" });
  expect(next.items.map(({ id }) => id)).toEqual([first.id]);
  const suspended = await searchAccounts(bed.ctx.db, { isSuspended: true, limit: 1 });
  expect(suspended.items.map(({ id }) => id)).toEqual([first.id]);
  for (const cursor of ["x", Buffer.from("\0".repeat(50)).toString("base64url")])
    for (const name of [undefined, "a"])
      await expect(searchAccounts(bed.ctx.db, { name, cursor, limit: 1 })).rejects.toMatchObject({
        code: "invalid_parameters",
      });
});

test.each([
  [
    "accounts_by_name",
    `lower(name) collate "C" >= 'a' and lower(name) collate "C" < 'b' order by lower(name) collate "C", id`,
  ],
  ["accounts_suspended", "suspended_at is not null order by id desc"],
])("the index %s gives a page in its order: nothing is sorted", async (index, condition) => {
  const { rows } = await bed.ctx.pool.query<{ "QUERY PLAN": string }>(
    `explain select id from accounts where test_of is null and ${condition} limit 21`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain(index);
  expect(plan).not.toContain("Sort");
});
