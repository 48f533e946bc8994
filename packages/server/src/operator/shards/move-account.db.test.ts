import assert from "node:assert";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { claimOf } from "../../../test/harness/claim-of.ts";
import { endings } from "../../../test/harness/endings.ts";
import {
  body,
  move,
  openBusy,
  openShardsBed,
  readAll,
  type ShardsBed,
} from "../../../test/harness/shards-bed.ts";
import { hashApiKey } from "../../accounts/api-key.ts";
import { findCallers } from "../../accounts/queries.ts";
import { expireCredits } from "../../credits/expire-credits.ts";
import { grantCredits, readBalance } from "../../credits/ledger.ts";
import { callFunction, isAccountMoved } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";
import { createTask } from "../../generation/create-task.ts";
import { type DeliveryId, newId } from "../../ids.ts";
import { endAgreements, findLabelAgreement } from "../../labels/agreements/queries.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { bindJob, claimSubmit } from "../../tasks/submit-queries.ts";
import { insertTestDelivery } from "../../webhooks/delivery-queries.ts";
import { findLiving } from "./find-living.ts";
import { forgetMoved } from "./forget-moved.ts";
import type { Step } from "./move-account.ts";

let shards: ShardsBed;
let beds: ShardsBed["beds"];
let sides: ShardsBed["sides"];
beforeAll(async () => {
  shards = await openShardsBed();
  ({ beds, sides } = shards);
});
afterAll(() => shards[Symbol.asyncDispose]());

const media = "select count(*)::int as count from media_objects";

test("an account is in the target as it was, with all that it has open, and can move back", async () => {
  const account = await openBusy(beds[0], "whole");
  const { caller, ids, id, bound, waiting } = account;
  const before = await readAll(shards, 0, ids);
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  expect(empty).toEqual([]);
  const [objects] = await beds[0].database.sql(media);

  await move(shards, id, 1);
  expect(await readAll(shards, 1, ids)).toEqual(before);
  expect(await beds[1].database.sql(media)).toEqual([objects]);
  for (const bed of beds) await checkMoney(bed.database);

  // Whoever still comes to the source is told so, and writes nothing.
  const [source, target] = [beds[0].ctx, beds[1].ctx];
  await expect(createTask(source, caller, body, null)).rejects.toMatchObject({
    code: "account_busy",
  });
  const grant = { accountId: id, credits: 5, note: "late" };
  await expect(grantCredits(source.pool, grant)).rejects.toSatisfy(isAccountMoved);
  const test = { id: newId<DeliveryId>(0), accountId: id, url: "https://a.example", body: "{}" };
  await expect(insertTestDelivery(source.db, test)).rejects.toMatchObject({ code: "account_busy" });
  for (const late of [
    "update assets set name = 'late' where account_id = $1",
    `insert into account_notes (id, account_id, actor_kind, actor, note)
     values (gen_random_uuid(), $1, 'command', 'root', 'late')`,
    "update accounts set open_tasks_max = 9 where id = $1",
    "update api_keys set revoked_at = now() where account_id = $1",
    `update label_agreements set ended_at = now(), ended_kind = 'command', ended_by = 'root', end_reason = 'late'
     where account_id = $1`,
  ])
    await expect(source.pool.query(late, [id])).rejects.toSatisfy(isAccountMoved);
  expect(await finishTask(source, bound, endings.FAILED)).toBe(false);
  expect(await claimSubmit(source.pool, claimOf(waiting))).toBeUndefined();

  const balance = await readBalance(target.db, id);
  expect(await finishTask(target, bound, endings.COMPLETED)).toBe(true);
  expect(await finishTask(target, bound, endings.COMPLETED)).toBe(false);
  expect((await readBalance(target.db, id)).credits).toBeLessThan(balance.credits);
  expect(await claimSubmit(target.pool, claimOf(waiting))).toBeDefined();
  await bindJob(target.pool, { taskId: waiting, jobId: "job", pollMs: 60_000 });

  await forgetMoved(sides[0], id);
  const left = Object.entries(await readAll(shards, 0, ids)).filter(([, rows]) => rows.length > 0);
  expect(left.map(([name]) => name).sort()).toEqual(["accounts", "open api_keys"]);
  for (const bed of beds) await checkMoney(bed.database);

  const there = await readAll(shards, 1, ids);
  await move(shards, id, 0);
  expect(await readAll(shards, 0, ids)).toEqual(there);
  await forgetMoved(sides[1], id);
  expect(await finishTask(source, waiting, endings.COMPLETED)).toBe(true);
  for (const bed of beds) await checkMoney(bed.database);
  await expect(forgetMoved(sides[0], id)).rejects.toThrow("lives here");
});

const steps: Step[] = [
  ...(["prepared", "copied", "marked", "frozen", "delivered"] as const),
  ...(["decided", "activated", "directory"] as const),
];

test("a move that is interrupted after any step ends in the same state when it is run again", async () => {
  for (const broken of steps) {
    const account = await openBusy(beds[0], `after-${broken}`);
    const before = await readAll(shards, 0, account.ids);
    const onStep = (step: Step) => {
      if (step === broken) throw new Error("the process is killed");
    };
    await expect(move(shards, account.id, 1, { onStep })).rejects.toThrow("killed");
    const living = await findLiving(sides, account.id);
    expect(living?.side.shard).toBe(["activated", "directory"].includes(broken) ? 1 : 0);
    if (broken === "delivered") {
      // It goes on where it was: what was copied is out of date.
      expect(await finishTask(beds[0].ctx, account.bound, endings.FAILED)).toBe(true);
      Object.assign(before, await readAll(shards, 0, account.ids));
    }
    await move(shards, account.id, 1);
    expect(await readAll(shards, 1, account.ids), broken).toEqual(before);
  }
  for (const bed of beds) await checkMoney(bed.database);
});

test("a submit that is under way is waited for, and no other one begins", async () => {
  const bed = beds[0];
  const { id, caller, waiting, ids } = await openBusy(beds[0], "claims");
  const claimed = (await createTask(bed.ctx, caller, body, null)).taskId;
  await claimSubmit(bed.ctx.pool, claimOf(claimed));
  await expect(move(shards, id, 1, { claimsMsMax: 0 })).rejects.toThrow("1 submits");
  const marks = () =>
    bed.database.sql("select from accounts where id = any ($1) and moving_at is not null", [ids]);
  expect(await marks()).toEqual([]);

  let isMarked = false;
  const onStep = (step: Step) => {
    if (step === "marked") isMarked = true;
  };
  const moving = move(shards, id, 1, { onStep });
  await expect.poll(() => isMarked, { timeout: 60_000 }).toBe(true);
  expect(await claimSubmit(bed.ctx.pool, claimOf(waiting))).toBeUndefined();
  expect((await findLiving(sides, id))?.side.shard).toBe(0);
  await expect(move(shards, id, 1)).rejects.toThrow("another command");
  await bindJob(bed.ctx.pool, { taskId: claimed, jobId: "late", pollMs: 60_000 });
  await moving;
  const job = "select vendor_job_id as job from open_tasks where task_id = $1";
  expect(await beds[1].database.sql(job, [claimed])).toEqual([{ job: "late" }]);
  expect(await claimSubmit(beds[1].ctx.pool, claimOf(waiting))).toBeDefined();
});

test("a write that has begun before the freeze is waited for and moves with the account", async () => {
  const { id } = await openBusy(beds[0], "writes");
  const client = await beds[0].ctx.pool.connect();
  try {
    let frozen = 0;
    await client.query("begin");
    await client.query("update assets set name = 'renamed' where account_id = $1", [id]);
    const moving = move(shards, id, 1, {
      onStep(step) {
        if (step === "frozen") frozen += 1;
      },
    });
    const isWaiting = () =>
      beds[0].database.sql(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from accounts%for update%'",
      );
    await expect.poll(isWaiting, { timeout: 60_000, interval: 5 }).toHaveLength(1);
    expect(frozen).toBe(0);
    await client.query("commit");
    await moving;
  } finally {
    client.release();
  }
  const names = "select distinct name from assets where account_id = $1";
  expect(await beds[1].database.sql(names, [id])).toEqual([{ name: "renamed" }]);
});

test("an account that moves keeps its lots and their uses, also of what is charged while it is copied, and they expire where it lives", async () => {
  const { id, bound } = await openBusy(beds[0], "lots");
  const [source, target] = [beds[0].ctx, beds[1].ctx];
  const post = (credits: number, expiresAt: Date | null) =>
    callFunction(source.pool, "post_transfer", {
      cause_id: newId(0),
      kind: "grant",
      transfer_id: newId(0),
      account_id: id,
      amount: credits,
      note: null,
      expires_at: expiresAt,
    });
  await post(1_000, new Date(0));
  const readLots = async (shard: 0 | 1) => ({
    lots: await beds[shard].database.sql(
      "select l.* from lots l where account_id = $1 order by id",
      [id],
    ),
    uses: await beds[shard].database.sql(
      "select u.* from lot_uses u where account_id = $1 order by 1, 2, 3",
      [id],
    ),
  });
  let before = await readLots(0);
  const onStep = async (step: Step) => {
    if (step !== "marked") return;
    await finishTask(source, bound, endings.COMPLETED);
    await post(7, null);
    const after = await readLots(0);
    expect(after.uses).toHaveLength(before.uses.length + 1);
    expect(after.lots).toHaveLength(before.lots.length + 1);
    before = after;
  };
  await move(shards, id, 1, { onStep });
  expect(await readLots(1)).toEqual(before);
  const { held } = await beds[1].database
    .sql<{ held: number }>("select held::int from accounts where id = $1", [id])
    .then(onlyRow);
  expect(await expireCredits(source)).toBe(0);
  expect(await expireCredits(target)).toBeGreaterThan(0);
  const [expiring] = (await readLots(1)).lots.filter(({ expires_at }) => expires_at !== null);
  expect(Number(expiring?.["credits_left"])).toBe(held); // what is held stays until its tasks have ended
  for (const bed of beds) await checkMoney(bed.database);
});

test("an output that is freed, and an agreement that is ended, while the account moves are in the target", async () => {
  const { id, bound } = await openBusy(beds[0], "freed");
  const { db } = beds[0].ctx;
  const agreement = await findLabelAgreement(db, id);
  assert(agreement !== null && endings.COMPLETED.kind === "completed");
  const { agreementId: labelAgreementId } = agreement;
  const output = endings.COMPLETED.output.map((video) => ({ ...video, labelAgreementId }));
  const end = { kind: "command", by: "root", reason: "over" } as const;
  await move(shards, id, 1, {
    async onStep(step) {
      if (step !== "copied") return;
      await finishTask(beds[0].ctx, bound, { kind: "completed", output });
      await endAgreements(db, id, end);
    },
  });
  const freed = "select agreement_id as id from freed_outputs where task_id = $1";
  expect(await beds[1].database.sql(freed, [bound])).toEqual([{ id: labelAgreementId }]);
  const ended = "select end_reason as reason from label_agreements where account_id = $1";
  expect(await beds[1].database.sql(ended, [id])).toEqual([{ reason: "over" }]);
});

// Otherwise a request at that moment is refused as one with an unknown key, and that is remembered for seconds.
test("a key is known in both shards at every moment of the move", async () => {
  const { id, key } = await beds[0].openAccount();
  const seen: string[] = [];
  const find = async (index: 0 | 1) => {
    const [caller] = await findCallers(beds[index].ctx.pool, [hashApiKey(key)]);
    return caller === undefined ? "unknown" : (caller.movedTo ?? "here");
  };
  await move(shards, id, 1, {
    async onStep(step) {
      if (step === "frozen" || step === "delivered") return; // not committed yet: as before it
      seen.push(`${step}: ${await find(0)} ${await find(1)}`);
    },
  });
  expect(seen).toEqual([
    "prepared: here unknown",
    "copied: here unknown",
    "marked: here unknown",
    "decided: 1 0",
    "activated: 1 here",
    "directory: 1 here",
  ]);
});
