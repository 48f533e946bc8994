import assert from "node:assert";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { type AccountId, newId } from "../ids.ts";
import { hashApiKey } from "./api-key.ts";
import { createAccount } from "./create-account.ts";
import { createKey } from "./create-key.ts";
import { createTestAccount } from "./create-test-account.ts";
import { findCallers, listKeys, markKeyRevoked } from "./queries.ts";
import { readStoredSecret } from "./webhook-secret.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

test("of twenty keys made at once ten are made; a revoked one makes room", async () => {
  const { db } = bed.ctx;
  const { accountId } = await createAccount(bed.ctx, { name: "keys" });
  const made = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => createKey(db, { accountId, name: `late ${n}` })),
  );
  expect(made.filter((result) => result.status === "fulfilled")).toHaveLength(10);
  const refusal = { code: "live_keys_limit" };
  await expect(createKey(db, { accountId, name: "x" })).rejects.toMatchObject(refusal);
  const [first] = await listKeys(db, accountId);
  assert(first !== undefined);
  expect(await markKeyRevoked(db, first.id)).toBe(true);
  expect(await markKeyRevoked(db, first.id)).toBe(false);
  await createKey(db, { accountId, name: "x" });
});

test("revoking makes no room for more than 200 keys in a day", async () => {
  const { db } = bed.ctx;
  const { accountId } = await createAccount(bed.ctx, { name: "loop" });
  for (let n = 0; n < 200; n += 1) {
    const { keyId } = await createKey(db, { accountId, name: "x" });
    await markKeyRevoked(db, keyId);
  }
  const refusal = { code: "new_keys_limit", retryAfterSeconds: 3_600 };
  await expect(createKey(db, { accountId, name: "x" })).rejects.toMatchObject(refusal);
  const yesterday = `update api_keys set id = overlay(id::text placing '00' from 1 for 2)::uuid
    where id = (select min(id::text)::uuid from api_keys where account_id = $1)`;
  await bed.database.sql(yesterday, [accountId]);
  await createKey(db, { accountId, name: "x" });
});

test("a key is nowhere in the database, and finds its account until it is revoked", async () => {
  const { db } = bed.ctx;
  const { accountId } = await createAccount(bed.ctx, { name: "one" });
  const { keyId, key } = await createKey(db, { accountId, name: "x" });
  const rows = await bed.database.sql("select api_keys::text as row from api_keys where id = $1", [
    keyId,
  ]);
  expect(JSON.stringify(rows)).not.toContain(key.slice(13));
  expect((await findCallers(bed.ctx.pool, [hashApiKey(key)]))[0]?.id).toBe(accountId);
  await markKeyRevoked(db, keyId);
  expect(await findCallers(bed.ctx.pool, [hashApiKey(key)])).toEqual([undefined]);
});

test("a key for an account that does not exist is refused", async () => {
  const orphan = createKey(bed.ctx.db, { accountId: newId(0), name: "x" });
  await expect(orphan).rejects.toThrow("There is no account");
});

test("an expired key frees its place among the ten, also when many are made at once; one that is not yet expired does not", async () => {
  const { db } = bed.ctx;
  const { accountId } = await createAccount(bed.ctx, { name: "expiry" });
  const day = 24 * 60 * 60 * 1_000;
  const make = (name: string, days: number | null) =>
    createKey(db, {
      accountId,
      name,
      expiresAt: days === null ? null : new Date(Date.now() + days * day),
    });
  for (let n = 0; n < 4; n += 1) await make("expired", -1);
  for (let n = 0; n < 4; n += 1) await make("expires tomorrow", 1);
  const made = await Promise.allSettled(Array.from({ length: 12 }, () => make("stays", null)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
  await expect(make("expired", -1)).rejects.toMatchObject({ code: "live_keys_limit" });
});

const secretOf = async (accountId: AccountId) => {
  const [row] = await bed.database.sql<{ secret: string; before: string | null }>(
    "select webhook_secret as secret, webhook_secret_before as before from accounts where id = $1",
    [accountId],
  );
  const secret = readStoredSecret(bed.ctx.keyRing, row?.secret ?? "", accountId);
  return { secret, before: row?.before };
};

test("a twin for test mode has a webhook secret of its own", async () => {
  const live = await createAccount(bed.ctx, { name: "twin" });
  const { accountId } = await createTestAccount(bed.ctx, live.accountId);
  expect((await secretOf(accountId)).secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect((await secretOf(accountId)).secret).not.toBe(live.webhookSecret);
  expect(await secretOf(live.accountId)).toMatchObject({
    secret: live.webhookSecret,
    before: null,
  });
});
