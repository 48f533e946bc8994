import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import { newId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { verifyLedger } from "./verify-ledger.ts";

let bed: TestBed;
let account: Caller;
beforeEach(async () => {
  bed = await openTestBed();
  account = await bed.openAccount({ credits: 100, openTasksMax: 2, limits: { creditsMax: 1_000 } });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
  await createTask(bed.ctx, account, body, null);
});
afterEach(() => bed[Symbol.asyncDispose]());

const breached = async () => [
  ...new Set(
    (await verifyLedger(bed.ctx.pool)).breaches.map(({ invariant }) => invariant.slice(0, 2)),
  ),
];

test("a correct history is proven, and the count of what was checked is returned", async () => {
  expect(await verifyLedger(bed.ctx.pool)).toEqual({
    checked: { transfers: 4, tasks: 2 },
    breaches: [],
  });
});

/** Changes that a user with all rights could make to the rows, and the invariants that they break. */
const tampering: [what: string, invariants: string[], sql: string][] = [
  [
    "an entry is changed",
    ["I1", "I2"],
    "update entries set amount = amount + 1 where kind = 'hold' and book = 'held'",
  ],
  [
    "an entry is gone",
    ["I1", "I2"],
    "delete from entries where kind = 'release' and book = 'held'",
  ],
  [
    "an entry without a transfer",
    ["I1"],
    "insert into entries select gen_random_uuid(), kind, account_id, 'issued', 5 from entries limit 1",
  ],
  ["credits out of nowhere", ["I2", "I7"], "update accounts set credits = credits + 1"],
  ["a hold forgotten", ["I2"], "update accounts set held = 0"],
  [
    "a transfer is gone",
    ["I1", "I2", "I3", "I4", "I6"],
    "delete from transfers where kind = 'release'",
  ],
  ["a number twice", ["I2", "I3"], "update transfers set number = 2 where number = 3"],
  ["a budget that forgot a task", ["I2"], "update api_keys set credits_used = 0"],
  [
    "a written balance that is wrong",
    ["I3"],
    "update transfers set credits_after = 101 where number = 2",
  ],
  [
    "a grant that never was enough",
    ["I1", "I3", "I7"],
    "update transfers set amount = 20, credits_after = 20 where kind = 'grant'",
  ],
  [
    "a task that ended without its money",
    ["I4"],
    "update tasks set status = 'COMPLETED', output = '[]', completed_at = now() where status = 'PENDING'",
  ],
  ["a task that lost its open row", ["I4"], "delete from open_tasks"],
  [
    "a price that is not what was held",
    ["I2", "I4"],
    "update tasks set credits = credits + 1 where status = 'PENDING'",
  ],
  ["a hold without a task", ["I2", "I4"], "delete from tasks where status = 'PENDING'"],
  ["usage that forgot a task", ["I6"], "delete from usage_days"],
  ["one task too many", ["I5"], "update accounts set open_tasks_max = 0"],
];

test.each(tampering)("%s: it breaks %s", async (_what, invariants, statement) => {
  await bed.database.sql("set session_replication_role = replica"); // no trigger says no
  await bed.database.sql(statement);
  expect(await breached()).toEqual(invariants);
});

/** Changes of lots, each after a task was charged to a lot that was paid and one that is free. */
const lotTampering: [what: string, sql: string][] = [
  [
    "a lot that has a credit more",
    "update lots set credits_left = credits_left + 1 where net_minor > 0",
  ],
  [
    "a credit that lies in another lot",
    "update lots set credits_left = credits_left + case when net_minor > 0 then 1 else -1 end",
  ],
  ["a lot that is gone", "delete from lots where net_minor > 0"],
  ["a lot that was more", "update lots set credits = credits + 1 where net_minor > 0"],
  [
    "a lot out of nowhere",
    `insert into lots (id, account_id, number, source, credits, credits_left, is_open, cause_id)
     select gen_random_uuid(), account_id, 4, 'goodwill', 1, 0, false, id from lots where net_minor > 0`,
  ],
  ["a use that is gone", "delete from lot_uses"],
  ["a use of fewer credits", "update lot_uses set credits = credits - 1"],
  ["a use that gave a unit more", "update lot_uses set net_minor = net_minor + 1"],
  [
    "a use of another lot",
    "update lot_uses set lot_id = (select id from lots where net_minor = 0)",
  ],
  ["a use without a transfer", "update lot_uses set cause_id = gen_random_uuid()"],
  ["a use of another account's transfer", "update lot_uses set account_id = gen_random_uuid()"],
];

test.each(lotTampering)("%s: it breaks I7", async (_what, statement) => {
  await bed.database.sql("truncate lots");
  await bed.database.sql(
    "select post_transfer(p_cause_id => $1, p_kind => 'grant', p_transfer_id => $1, p_account_id => $2, p_amount => 31, p_net_minor => 1000, p_currency => 'EUR', p_expires_at => now() + interval '1 day')",
    [newId(0), account.id],
  );
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, { kind: "completed", output: [] });
  expect(await breached()).toEqual([]);
  await bed.database.sql("set session_replication_role = replica");
  await bed.database.sql("alter table lots drop constraint lots_left");
  await bed.database.sql(statement);
  expect(await breached()).toEqual(["I7"]);
});

test("a breach comes with the rows", async () => {
  await bed.database.sql("update accounts set credits = credits + 7 where id = $1", [account.id]);
  const { breaches } = await verifyLedger(bed.ctx.pool);
  expect(breaches.map(({ invariant }) => invariant.slice(0, 2))).toEqual(["I2", "I7"]);
  expect(breaches[0]?.rows).toEqual([
    expect.objectContaining({ account_id: account.id, credits: 107, entries_credits: "100" }),
  ]);
});
