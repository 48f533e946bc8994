import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { migrate } from "../../db/migrate.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { changeAlerts } from "./alerts.ts";

const file = "0048-credits-low.sql";
const actor: Actor = { kind: "command", user: "somebody", address: null, requestId: null };

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());
beforeEach(() => bed.database.sql("delete from migrations where name = $1", [file]));

/** Creates an account as an earlier release did. */
async function openEarlier(name: string): Promise<AccountId> {
  const { accountId } = await createAccount(bed.ctx, { name });
  await bed.database.sql("update accounts set credits_low = null where id = $1", [accountId]);
  return accountId;
}

test("accounts from before there was a default get it; a threshold that somebody chose or removed stays", async () => {
  const earlier = await openEarlier("earlier");
  const { accountId: ofTests } = await createTestAccount(bed.ctx, earlier);
  const chosen = await openEarlier("chosen");
  await changeAlerts(bed.ctx, actor, chosen, { creditsLow: 50 });
  const removed = await openEarlier("removed");
  await changeAlerts(bed.ctx, actor, removed, { creditsLow: 50 });
  await changeAlerts(bed.ctx, actor, removed, { creditsLow: null });
  const moved = await openEarlier("moved");
  await bed.database.sql("update accounts set moved_to = 1 where id = $1", [moved]);
  expect(await migrate(bed.database.ownerUrl)).toEqual([file]);
  const rows = await bed.database.sql<{ id: AccountId; low: number | null }>(
    "select id, credits_low::int as low from accounts",
  );
  const lowOf = new Map(rows.map(({ id, low }) => [id, low]));
  expect([earlier, ofTests, chosen, removed, moved].map((id) => lowOf.get(id))).toEqual([
    1_000,
    null,
    50,
    null,
    null,
  ]);
});

test("several batches of accounts get the default; the migration keeps no row from others and waits for one that they keep", async () => {
  await bed.database.sql(
    `insert into accounts (id, name, webhook_secret)
     select gen_random_uuid(), 'many', '' from generate_series(1, 4500)`,
  );
  const [last] = await bed.database.sql<{ id: AccountId }>(
    "select id from accounts where name = 'many' order by id desc limit 1",
  );
  const holder = new Client({ connectionString: bed.database.ownerUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin");
  await holder.query("select from accounts where id = $1 for update", [last?.id]);
  const countLeft = async () => {
    const [row] = await bed.database.sql<{ left: number }>(
      "select count(*)::int as left from accounts where name = 'many' and credits_low is null",
    );
    return row?.left;
  };
  const waits: Promise<number | undefined>[] = [];
  const migrating = migrate(bed.database.ownerUrl, {
    async onWait() {
      waits.push(countLeft());
      await holder.query("commit");
    },
  });
  expect(await migrating).toEqual([file]);
  expect(waits).toHaveLength(1);
  expect(await waits[0]).toBeLessThan(1_000); // the batches before that row were committed
  expect(await countLeft()).toBe(0);
});
