import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { openConnections } from "../db/connections.ts";
import { openDatabase } from "../db/database.ts";
import { type KeyId, newId } from "../ids.ts";
import { buildApi } from "./build-api.ts";
import { createKeyUses } from "./note-key-uses.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const usesOf = (keyIds: readonly KeyId[]) =>
  bed.database.sql<{ id: KeyId; at: Date; version: string }>(
    "select key_id as id, used_at as at, xmin::text as version from key_uses where key_id = any ($1) order by 1",
    [keyIds],
  );

test("a request is seen as the last use of its key, to the minute, once the process saves or stops", async () => {
  const { key, keyId } = await bed.openAccount();
  const api = await buildApi(bed.ctx);
  const headers = { authorization: `Bearer ${key}` };
  const before = Date.now();
  await api.inject({ url: "/api/v1/models", headers });
  await api.close();
  const again = await buildApi(bed.ctx);
  const { items } = (await again.inject({ url: "/api/v1/account/keys", headers })).json<{
    items: { lastUsedAt: number }[];
  }>();
  await again.close();
  const usedAt = items[0]?.lastUsedAt ?? 0;
  expect(usedAt % 60_000).toBe(0);
  expect(usedAt).toBeGreaterThan(before - 60_000);
  expect(usedAt).toBeLessThanOrEqual(Date.now());
  expect(await usesOf([keyId])).toHaveLength(1);
});

test("2,500 keys in use are saved in batches, and a key that is used on and on is written once", async () => {
  const keyIds = Array.from({ length: 2_500 }, () => newId<KeyId>(0)).sort();
  const uses = createKeyUses(bed.ctx, { waitMs: 20 });
  for (let n = 0; n < 3; n += 1) for (const keyId of keyIds) uses.note(keyId);
  await waitUntil("all are saved", async () => (await usesOf(keyIds)).length === keyIds.length, {
    timeoutMs: 120_000,
  });
  const written = await usesOf(keyIds);
  // Another process in the same minute: the rows stay as they are.
  const other = createKeyUses(bed.ctx);
  for (const keyId of keyIds) other.note(keyId);
  await other.close();
  await uses.close();
  const later = await usesOf(keyIds);
  const rewritten = later.filter(({ version }, n) => version !== written[n]?.version);
  const isNextMinute = later.filter(({ at }, n) => at.getTime() !== written[n]?.at.getTime());
  expect(rewritten.length).toBe(isNextMinute.length);
});

test("a database that is away costs uses and no request, and what is noted has a bound", async () => {
  const pool = openConnections("postgres://nobody@127.0.0.1:9/none", 1, "away");
  const db = openDatabase(pool);
  const lost: unknown[] = [];
  const log = { ...bed.ctx.log, warn: (line: object) => lost.push(line) } as typeof bed.ctx.log;
  const uses = createKeyUses({ db, log }, { waitMs: 20, keysMax: 10 });
  for (let n = 0; n < 1_000; n += 1) uses.note(newId<KeyId>(0));
  await waitUntil("a loss is noted", () => lost.length > 0, { timeoutMs: 120_000 });
  expect(lost[0]).toMatchObject({ event: "key_uses.lost" });
  await uses.close();
  await db.destroy();
});
