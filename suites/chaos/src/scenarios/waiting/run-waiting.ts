import assert from "node:assert";
import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { residentMb } from "@zoetrope/testkit/process-tree.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Client } from "pg";
import { readInvocations } from "../../check/collect-evidence.ts";
import { createTasks } from "../../kit/create-tasks.ts";

const accountsMax = 40;
const creditsPerTask = 24;
const samplesWhileFilling = 4; // the last one when all of them wait
const fillingMsMax = 900_000;
const waitingMs = 60_000;
const waitingSamples = 4;
const idleMsMax = 30_000;

/** A job that never ends by itself. */
const body = {
  model: "sd2",
  inputs: { prompt: "A tortoise asleep [sandbox:hang]", duration: "4s" },
};

interface Sample {
  seconds: number;
  waiting: number;
  ended: number;
  invocations: number;
  workerMb: number;
  apiMb: number;
  engineMb: number;
}

/** Many tasks that wait for their vendor: what they cost in memory and in the engine. */
export async function runWaiting(tasks: number): Promise<boolean> {
  await using scratch = await makeScratch("waiting");
  await using stack = await startStack({ dir: scratch.path, serverEnv: { LOG_LEVEL: "info" } });
  return await withClient(stack.databaseOwnerUrl, (db) => fillAndWait(stack, db, tasks));
}

async function fillAndWait(stack: Stack, db: Client, tasks: number): Promise<boolean> {
  const startedAt = performance.now();
  const openTasksMax = Math.ceil(tasks / accountsMax);
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountsMax, {
      name: "waiting",
      credits: creditsPerTask * openTasksMax,
      openTasksMax,
    }),
  );
  print(`${tasks} tasks of ${accountsMax} accounts, all waiting for their vendor\n`);
  print("    s  waiting  ended  invocations  worker MB  api MB  engine MB");
  const first = await takeSample(stack, db, startedAt);
  const creating = createTasks(stack.apiUrl, accounts, Array(tasks).fill(body)).then(
    () => performance.now() - startedAt,
  );
  const filling = sampleWhileFilling(stack, db, tasks, startedAt);
  const [createdMs, full] = await Promise.all([creating, filling]);
  for (let count = 0; count < waitingSamples; count += 1) {
    await pause(waitingMs / waitingSamples);
    await takeSample(stack, db, startedAt);
  }
  const invocations = await untilIdle(stack);
  const last = await takeSample(stack, db, startedAt);
  const perSecond = Math.round((tasks / createdMs) * 1000);
  print(`\naccepted ${perSecond} tasks/s`);
  for (const part of ["worker", "api", "engine"] as const) {
    const [empty, filled, waited] = [first, full, last].map((sample) => sample[`${part}Mb`]);
    print(
      `${part}: ${empty} MB empty, ${filled} MB full, ${waited} MB after ${waitingMs / 1000} s more`,
    );
  }
  const change = (part: "workerMb" | "engineMb") => `${first[part]}→${last[part]}`;
  print(
    `waiting=${last.waiting} engine_invocations=${invocations} worker_rss_mb=${change("workerMb")} engine_rss_mb=${change("engineMb")}`,
  );
  return invocations === 0 && last.waiting === tasks;
}

async function sampleWhileFilling(
  stack: Stack,
  db: Client,
  tasks: number,
  startedAt: number,
): Promise<Sample> {
  let sample: Sample | undefined;
  for (let part = 1; part <= samplesWhileFilling; part += 1) {
    const due = Math.floor((tasks * part) / samplesWhileFilling);
    const isDue = async () => {
      const { waiting, ended } = await countTasks(db);
      return waiting + ended >= due;
    };
    const limits = { timeoutMs: fillingMsMax, intervalMs: 500 };
    await waitUntil(`${due} tasks wait`, isDue, limits);
    sample = await takeSample(stack, db, startedAt);
  }
  assert(sample !== undefined);
  return sample;
}

/** A task waits when the vendor has accepted it and it has no end. */
async function countTasks(db: Client): Promise<{ waiting: number; ended: number }> {
  const { rows } = await db.query<{ waiting: string; ended: string }>(
    `select (select count(*) from open_tasks where vendor_job_id is not null) as waiting,
      (select count(*) from tasks where completed_at is not null) as ended`,
  );
  return { waiting: Number(rows[0]?.waiting), ended: Number(rows[0]?.ended) };
}

async function takeSample(stack: Stack, db: Client, startedAt: number): Promise<Sample> {
  const sample = {
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...(await countTasks(db)),
    invocations: (await readInvocations(stack.restate.adminUrl)).length,
    workerMb: await residentMb(stack.worker.pid),
    apiMb: await residentMb(stack.api.pid),
    engineMb: await residentMb(stack.restate.pid),
  };
  const widths = [5, 9, 7, 13, 11, 8, 11];
  const cells = Object.values(sample).map((value, column) =>
    String(value).padStart(widths[column] ?? 0),
  );
  print(cells.join(""));
  return sample;
}

/** The poller may be waking a task just now; an invocation that belongs to waiting would stay. */
async function untilIdle(stack: Stack): Promise<number> {
  let count = Number.POSITIVE_INFINITY;
  const isIdle = async () => {
    count = (await readInvocations(stack.restate.adminUrl)).length;
    return count === 0;
  };
  await waitUntil("the engine is idle", isIdle, { timeoutMs: idleMsMax, intervalMs: 200 }).catch(
    () => {},
  );
  return count;
}
