import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { findGrant, listGrants } from "../../credits/grant-queries.ts";
import { readBalance } from "../../credits/ledger.ts";
import { isUnavailable } from "../../db/database.ts";
import {
  type AccountId,
  type Actor,
  type GrantLimitId,
  newId,
  type TransferId,
} from "../../ids.ts";
import { verifyLedger } from "../../ledger-checks/verify-ledger.ts";
import { adoptLimit, changeLimit, decideLimit } from "../grant-limit/change-limit.ts";
import { askGrant } from "./ask-grant.ts";
import { decideGrant } from "./decide-grant.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
  await adoptLimit(bed.ctx, limit);
});
beforeEach(async () => {
  [ada, ben, eve] = [await newPerson(), await newPerson(), await newPerson()];
});
afterAll(async () => {
  expect((await verifyLedger(bed.ctx.pool)).breaches).toEqual([]);
  await bed[Symbol.asyncDispose]();
});

const limit = 1_000;
/** An operator of long ago. */
async function newPerson(): Promise<Actor> {
  const { personId } = await openPerson(bed, { staff: "operator" });
  return { kind: "person", personId, address: "192.0.2.7", requestId: null };
}
let ada: Actor;
let ben: Actor;
let eve: Actor;
const root: Actor = { kind: "command", user: "root", address: null, requestId: null };

const ask = (actor: Actor, accountId: AccountId, credits: number, idempotencyKey?: string) =>
  askGrant(bed.ctx, actor, {
    accountId,
    credits,
    reason: "contract 7",
    idempotencyKey,
    kind: credits < 0 ? "adjust" : "grant",
  });
const decide = (actor: Actor, grantId: TransferId, isApproved = true) =>
  decideGrant(bed.ctx, actor, grantId, { isApproved });
const creditsOf = async (accountId: AccountId) =>
  (await readBalance(bed.ctx.db, accountId)).credits;
const actionsOf = async (accountId: AccountId) => {
  const rows = await bed.ctx.db
    .selectFrom("audit_entries")
    .select("action")
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  return rows.map(({ action }) => action);
};
/** A machine that is slow makes some wait longer for the account's lock than a statement may. */
async function retryUntil<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUnavailable(error)) return retryUntil(work);
    throw error;
  }
}
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === "fulfilled" ? "ok" : result.reason.code;

test("a grant up to the limit is posted at once, with its reason as the note", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  expect(await ask(ada, id, 700)).toMatchObject({ status: "posted" });
  expect(await creditsOf(id)).toBe(700);
  expect(await ask(ada, id, -300)).toMatchObject({ status: "posted" });
  expect(await creditsOf(id)).toBe(400);
  const transfers = await bed.database.sql("select note from transfers where account_id = $1", [
    id,
  ]);
  expect(transfers).toEqual([{ note: "contract 7" }, { note: "contract 7" }]);
  expect(await actionsOf(id)).toEqual(["credits.grant", "credits.adjust"]);
});

test("a larger one moves nothing until a second person approves it; whoever asked cannot", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const { grantId, status } = await ask(ada, id, 1_001);
  expect(status).toBe("pending");
  await expect(decide(ada, grantId)).rejects.toMatchObject({ code: "second_person_needed" });
  expect(await creditsOf(id)).toBe(0);
  await decide(ben, grantId);
  expect(await creditsOf(id)).toBe(1_001);
  await expect(decide(eve, grantId)).rejects.toMatchObject({ code: "grant_decided" });
  expect(await actionsOf(id)).toEqual(["credits.ask", "credits.approve"]);
});

test("20 grants at once that need a second person, each approved by 5 at once: every one is posted once, to the credit", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, n) => retryUntil(() => ask(ada, id, 2_000 + n, `grant ${n}`))),
  );
  expect(await creditsOf(id)).toBe(0);
  const approvers = [ben, eve, ben, ada, root];
  const results = await Promise.all(
    asked.map(({ grantId }) =>
      Promise.allSettled(approvers.map((who) => retryUntil(() => decide(who, grantId)))),
    ),
  );
  for (const ofGrant of results)
    expect(ofGrant.map(codeOf).filter((code) => code === "ok")).toHaveLength(1);
  expect(await creditsOf(id)).toBe(20 * 2_000 + (19 * 20) / 2);
  expect((await actionsOf(id)).sort()).toEqual([
    ...Array<string>(20).fill("credits.approve"),
    ...Array<string>(20).fill("credits.ask"),
  ]);
  const transfers = await bed.database.sql("select id from transfers where account_id = $1", [id]);
  expect(transfers).toHaveLength(20);
});

test("approval raced with rejection: one of them holds, and the balance agrees with it", async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await bed.openAccount({ credits: 0 });
    const { grantId } = await ask(ada, id, 5_000);
    const results = await Promise.allSettled([
      retryUntil(() => decide(ben, grantId)),
      retryUntil(() => decide(eve, grantId, false)),
    ]);
    expect(results.map(codeOf).sort()).toEqual(["grant_decided", "ok"]);
    const [approval] = results;
    expect(await creditsOf(id)).toBe(approval?.status === "fulfilled" ? 5_000 : 0);
  }
});

test("20 deductions at once take no more than is available", async () => {
  const { id } = await bed.openAccount({ credits: 1_000 });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => retryUntil(() => ask(ada, id, -300, `deduction ${n}`))),
  );
  expect(results.map(codeOf).filter((code) => code === "ok")).toHaveLength(3);
  expect(new Set(results.map(codeOf))).toEqual(new Set(["ok", "balance_too_low"]));
  expect(await creditsOf(id)).toBe(100);
});

test("a deduction that is no longer covered when it is approved stays pending, and takes nothing", async () => {
  const { id } = await bed.openAccount({ credits: 2_000 });
  const { grantId } = await ask(ada, id, -1_500);
  await ask(ada, id, -1_000);
  await expect(decide(ben, grantId)).rejects.toMatchObject({ code: "balance_too_low" });
  expect(await creditsOf(id)).toBe(1_000);
  const pending = await listGrants(bed.ctx.db, {
    accountId: id,
    isPending: true,
    before: null,
    rowsMax: 10,
  });
  expect(pending.map((grant) => grant.id)).toEqual([grantId]);
});

test("whoever asked can withdraw; a rejected grant is never posted", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const { grantId } = await ask(ada, id, 5_000);
  await decide(ada, grantId, false);
  await expect(decide(ben, grantId)).rejects.toMatchObject({ code: "grant_decided" });
  expect(await creditsOf(id)).toBe(0);
});

test("a grant that nobody approved in 7 days has expired", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const { grantId } = await ask(ada, id, 5_000);
  const expiry =
    "select expires_at - created_at = interval '7 days' as is_week from grants where id = $1";
  expect(await bed.database.sql(expiry, [grantId])).toEqual([{ is_week: true }]);
  await bed.database.sql("update grants set expires_at = now() where id = $1", [grantId]);
  await expect(decide(ben, grantId)).rejects.toMatchObject({ code: "grant_decided" });
  expect(await creditsOf(id)).toBe(0);
  const listed = await listGrants(bed.ctx.db, {
    accountId: id,
    isPending: false,
    before: null,
    rowsMax: 10,
  });
  expect(listed).toMatchObject([{ id: grantId, status: "expired" }]);
});

test("credits of a grant expire at the time that was asked for, also when a second person approves it", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const day = 24 * 60 * 60_000;
  const expiresAt = Date.now() + 3 * day;
  const askUntil = (credits: number, at: number, idempotencyKey?: string) =>
    askGrant(bed.ctx, ada, {
      accountId: id,
      kind: "grant",
      credits,
      reason: "trial",
      expiresAt: at,
      idempotencyKey,
    });
  await askUntil(5, expiresAt);
  const { grantId, status } = await askUntil(2_000, expiresAt, "trial");
  expect(status).toBe("pending");
  expect(await findGrant(bed.ctx.db, grantId)).toMatchObject({
    creditsExpireAt: new Date(expiresAt),
    expiresAt: new Date(expiresAt), // nobody approves what would have expired
  });
  await decide(ben, grantId);
  const lots =
    "select credits::int, source, expires_at from lots where account_id = $1 order by number";
  const lot = { source: "goodwill", expires_at: new Date(expiresAt) };
  expect(await bed.database.sql(lots, [id])).toEqual([
    { ...lot, credits: 5 },
    { ...lot, credits: 2_000 },
  ]);
  expect(await askUntil(2_000, expiresAt, "trial")).toMatchObject({ grantId, status: "posted" });
  const other = askUntil(2_000, expiresAt + day, "trial");
  await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
  const past = askUntil(5, Date.now() - 1);
  await expect(past).rejects.toMatchObject({ code: "invalid_parameters" });
});

test("the same idempotency key, 20 times at once, grants once; with another amount it is refused", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const same = await Promise.all(
    Array.from({ length: 20 }, () => retryUntil(() => ask(ada, id, 10, "key 1"))),
  );
  expect(new Set(same.map(({ grantId }) => grantId)).size).toBe(1);
  expect(await creditsOf(id)).toBe(10);
  const other = ask(ada, id, 11, "key 1");
  await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
});

test("the database itself refuses a grant that is posted by whoever asked for it", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const { grantId } = await ask(ada, id, 5_000);
  const forged = `update grants set status = 'posted', decided_kind = asked_kind, decided_by = asked_by
    where id = $1`;
  await expect(bed.database.sql(forged, [grantId])).rejects.toThrow("second_person");
});

test("ten small grants in a day need a second person like a large one, whoever gets them", async () => {
  const statuses: string[] = [];
  for (let n = 0; n < 10; n++) {
    const { id } = await bed.openAccount({ credits: 0 });
    statuses.push((await ask(ada, id, 400)).status);
  }
  expect(statuses.slice(0, 3)).toEqual(["posted", "posted", "pending"]);
  expect(statuses.filter((status) => status === "posted")).toHaveLength(2);
  await bed.database.sql("update grants set created_at = now() - interval '25 hours'");
  const { id } = await bed.openAccount({ credits: 0 });
  expect(await ask(ada, id, 400)).toMatchObject({ status: "posted" });
});

test("an account that several operators give to needs a second person, too; at once as well", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const results = await Promise.all([
    ...[ada, ben, eve].map((who) => retryUntil(() => ask(who, id, 500, newId<TransferId>(0)))),
    ...[ada, ben, eve].map((who) => retryUntil(() => ask(who, id, 500, newId<TransferId>(0)))),
  ]);
  expect(results.filter(({ status }) => status === "posted")).toHaveLength(2);
  expect(await creditsOf(id)).toBe(1_000);
});

test("nobody approves who is new, was invited by who asked, or belongs to the account", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const { grantId } = await ask(ada, id, 5_000);
  const idOf = (actor: Actor) => (actor.kind === "person" ? actor.personId : "");
  const refusal = { code: "second_person_needed" };
  await bed.database.sql("update staff set created_at = now() where person_id = $1", [idOf(ben)]);
  await expect(decide(ben, grantId)).rejects.toMatchObject(refusal);
  await bed.database.sql("update staff set invited_by = $2 where person_id = $1", [
    idOf(eve),
    idOf(ada),
  ]);
  await expect(decide(eve, grantId)).rejects.toMatchObject(refusal);
  const [member, other] = [await newPerson(), await newPerson()];
  await bed.database.sql(
    "insert into members (person_id, account_id, role) values ($1, $2, 'viewer')",
    [idOf(member), id],
  );
  await expect(decide(member, grantId)).rejects.toMatchObject(refusal);
  expect(await creditsOf(id)).toBe(0);
  await decide(other, grantId);
  expect(await creditsOf(id)).toBe(5_000);
});

test("the limit is lowered by one and raised by two, and the database itself insists", async () => {
  expect(await changeLimit(bed.ctx, ada, 900)).toEqual({ status: "set" });
  expect(await changeLimit(bed.ctx, ada, null)).toEqual({ status: "pending" });
  const own = decideLimit(bed.ctx, ada, { isApproved: true });
  await expect(own).rejects.toMatchObject({ code: "second_person_needed" });
  const { id } = await bed.openAccount({ credits: 0 });
  expect(await ask(ada, id, 901)).toMatchObject({ status: "pending" });
  const raise = bed.ctx.db
    .insertInto("grant_limits")
    .values({
      id: newId<GrantLimitId>(0),
      credits: 5_000,
      status: "set",
      set_at: new Date(),
      asked_kind: "command",
      asked_by: "root",
    })
    .execute();
  await expect(raise).rejects.toThrow("needs a second person");
  const post = bed.ctx.db
    .insertInto("grants")
    .values({
      id: newId<TransferId>(0),
      account_id: id,
      kind: "grant",
      credits: 901,
      reason: "x",
      status: "posted",
      asked_kind: "command",
      asked_by: "x",
      idempotency_key: null,
      expires_at: null,
      decided_kind: null,
      decided_by: null,
      decided_at: null,
    })
    .execute();
  await expect(post).rejects.toThrow("needs a second person");
  await decideLimit(bed.ctx, ben, { isApproved: true });
  expect(await ask(ada, id, 901)).toMatchObject({ status: "posted" });
  await changeLimit(bed.ctx, ada, limit);
});
