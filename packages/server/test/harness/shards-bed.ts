import { openConnections } from "../../src/db/connections.ts";
import { type Db, openDatabase } from "../../src/db/database.ts";
import { createTask } from "../../src/generation/create-task.ts";
import type { AccountId } from "../../src/ids.ts";
import { commandActor } from "../../src/operator/command-actor.ts";
import { historyTables, openTables } from "../../src/operator/shards/account-tables.ts";
import { becomeShard } from "../../src/operator/shards/become-shard.ts";
import { moveAccount, type Step } from "../../src/operator/shards/move-account.ts";
import type { Side } from "../../src/operator/shards/sides.ts";
import { bindJob, claimSubmit } from "../../src/tasks/submit-queries.ts";
import { claimOf } from "./claim-of.ts";
import { openFullAccount } from "./full-account.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

/** Two shards. */
export interface ShardsBed extends AsyncDisposable {
  beds: [TestBed, TestBed];
  sides: [Side, Side];
}

export async function openShardsBed(): Promise<ShardsBed> {
  const beds: [TestBed, TestBed] = [await openTestBed(), await openTestBed()];
  await becomeShard(beds[1].database.ownerUrl, 1);
  const open = (bed: TestBed): Db =>
    openDatabase(openConnections(bed.database.ownerUrl, 3, "zoetrope operator"));
  const sides: [Side, Side] = [
    { db: open(beds[0]), shard: 0 },
    { db: open(beds[1]), shard: 1 },
  ];
  return {
    beds,
    sides,
    async [Symbol.asyncDispose]() {
      for (const { db } of sides) await db.destroy();
      for (const bed of beds) await bed[Symbol.asyncDispose]();
    },
  };
}

export type ShardIndex = 0 | 1;
export const other = (shard: ShardIndex): ShardIndex => (shard === 0 ? 1 : 0);
export const body = { model: "sd2", inputs: { prompt: "a fox" } };

export function move(
  { sides }: ShardsBed,
  accountId: AccountId,
  to: ShardIndex,
  more: { claimsMsMax?: number; onStep?(step: Step): Promise<void> | void } = {},
) {
  const [source, target] = [sides[other(to)], sides[to]];
  const actor = commandActor();
  return moveAccount({ source, target, directory: sides[0], actor, ...more }, accountId);
}

/** Every row of an account by table, as JSON; without the entry that says that it moved. */
export async function readAll(
  { beds }: ShardsBed,
  shard: ShardIndex,
  ids: readonly AccountId[],
): Promise<Record<string, string[]>> {
  const queries = new Map<string, string>([
    [
      "accounts",
      "select to_jsonb(t) - array['moved_to', 'moving_at'] as row from accounts t where id = any ($1)",
    ],
  ]);
  for (const { table, of } of openTables)
    queries.set(`open ${table}`, `select to_jsonb(t) as row from ${table} t where ${of}`);
  for (const { table, followers } of historyTables) {
    const moved = table === "audit_entries" ? "and t.action <> 'account.move'" : "";
    queries.set(
      table,
      `select to_jsonb(t) as row from ${table} t where t.account_id = any ($1) ${moved}`,
    );
    for (const follower of followers)
      queries.set(
        follower.table,
        `select to_jsonb(f) as row from ${table} t, ${follower.table} f
         where t.account_id = any ($1) and ${follower.of}`,
      );
  }
  const all: Record<string, string[]> = {};
  for (const [name, text] of queries) {
    const rows = await beds[shard].database.sql<{ row: unknown }>(text, [ids]);
    all[name] = rows.map(({ row }) => JSON.stringify(row)).sort();
  }
  return all;
}

/** An account with a row of every kind, and with tasks that wait, are bound to a job and have failed. */
export async function openBusy(bed: TestBed, mark: string) {
  const account = await openFullAccount(bed, mark);
  const create = async () => (await createTask(bed.ctx, account.caller, body, null)).taskId;
  const [waiting, bound] = [await create(), await create()];
  await claimSubmit(bed.ctx.pool, claimOf(bound));
  await bindJob(bed.ctx.pool, { taskId: bound, jobId: `job-${mark}`, pollMs: 60_000 });
  const processing = `insert into assets (account_id, upstream_asset_id, type, status, url)
    values ($1, $2, 'IMAGE', 'PROCESSING', 'https://example.com/a.png') returning id`;
  const [asset] = await bed.database.sql<{ id: string }>(processing, [
    account.id,
    `asset-2026-${mark.replaceAll(/\W/g, "")}`,
  ]);
  for (const [text, ...values] of [
    [
      "insert into asset_reviews (asset_id, number, actor, verdict, reason) values ($1, 1, 'a', 'unsure', 'b')",
      asset?.id,
    ],
    [
      "insert into asset_declarations (asset_id, account_id, people, purpose) values ($1, $2, 'a', 'b')",
      asset?.id,
      account.id,
    ],
    ["insert into dropped_key_credits (key_id, credits) values ($1, 7)", account.caller.keyId],
    ["insert into unpurged_tasks (task_id) values ($1)", waiting],
  ])
    await bed.database.sql(text ?? "", values);
  await bed.database.sql(
    "insert into upscales (task_id, account_id, source_key, owns_source, plan) values ($1, $2, 'a.mp4', true, '{}')",
    [bound, account.id],
  );
  await bed.database.sql(
    "insert into upscale_segments (task_id, number, plan, frames, vendor_job_id) values ($1, 0, '{}', 1, 'x')",
    [bound],
  );
  return { ...account, waiting, bound, ids: [account.id, account.testId] };
}
