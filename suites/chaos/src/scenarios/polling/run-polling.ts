import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { residentMb } from "@zoetrope/testkit/process-tree.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Client } from "pg";
import { createTasks } from "../../kit/create-tasks.ts";
import { readLines } from "../../kit/json-lines.ts";
import { waitForTasks } from "../../kit/open-work.ts";

const accountsMax = 40;
const creditsPerTask = 24;
const pollFirstMs = 10_000;
/** The longest time between two polls of a job: a minute, with its jitter. */
const pollMsMax = 60_000 * 1.2;
const seenMsMax = pollMsMax + 2_000;
/** One each second; two can fall into one second of the clock. */
const listsPerSecondMax = 2;
const workMs = 180_000;
const memorySamples = 6;
const endMsMax = 600_000;

/** A slow job without callbacks that fails, so that no video is rendered. */
const body = {
  model: "sd2",
  inputs: {
    prompt: `A snail on its way [sandbox:silent][sandbox:slow=${workMs / 1000}][sandbox:fail]`,
    duration: "4s",
  },
};

/**
 * Many tasks at once with a vendor that never calls back: when the ends are seen, what waiting
 * costs, and how many calls it takes.
 */
export async function runPolling(tasks: number): Promise<boolean> {
  await using scratch = await makeScratch("polling");
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: { LOG_LEVEL: "info", POLL_FIRST_MS: String(pollFirstMs) },
  });
  const openTasksMax = Math.ceil(tasks / accountsMax);
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountsMax, {
      name: "polling",
      credits: creditsPerTask * openTasksMax,
      openTasksMax,
    }),
  );
  await createTasks(stack.apiUrl, accounts, Array(tasks).fill(body));
  print(`${tasks} tasks are with a vendor that sends no callbacks`);
  const memory = await sampleMemory(stack.worker.pid);
  await waitForTasks(stack.databaseOwnerUrl, endMsMax);
  const lags = await withClient(stack.databaseOwnerUrl, (db) => readLags(db, stack.sandboxLog));
  const { p50, max } = spreadOf(lags);
  const { listsMax, singlePolls } = await countCalls(stack.worker.logFile);
  const range = `${Math.min(...memory)}..${Math.max(...memory)}`;
  print(
    `tasks=${lags.length} seen_p50_ms=${p50} seen_max_ms=${max} lists_per_s_max=${listsMax} single_looks=${singlePolls} worker_rss_mb=${range}`,
  );
  return lags.length === tasks && max <= seenMsMax && listsMax <= listsPerSecondMax;
}

async function sampleMemory(pid: number): Promise<number[]> {
  const samples: number[] = [];
  for (let n = 0; n < memorySamples; n += 1) {
    await pause(workMs / 2 / memorySamples);
    samples.push(await residentMb(pid));
    print(`  worker ${samples.at(-1)} MB`);
  }
  return samples;
}

/** Milliseconds from the end of each job at the vendor to the end of its task. */
async function readLags(db: Client, journal: string): Promise<number[]> {
  const { rows } = await db.query<{ job: string; at: Date }>(
    `select s.vendor_job_id as job, t.completed_at as at
     from tasks t join submissions s on s.task_id = t.id where s.vendor_job_id is not null`,
  );
  const endedAt = new Map<string, number>();
  for (const line of await readLines<JournalLine>(journal))
    if (line.event === "status" && line.to === "failed") endedAt.set(line.jobId ?? "", line.at);
  return rows.map(({ job, at }) => at.getTime() - (endedAt.get(job) ?? Number.NaN));
}

interface JournalLine {
  at: number;
  event: string;
  jobId?: string;
  to?: string;
}

/** The worker's calls about jobs: the most lists that fell into one second, and polls of single jobs. */
async function countCalls(log: string): Promise<{ listsMax: number; singlePolls: number }> {
  const lines = await readLines<{ event: string; time: number; call?: string }>(log);
  const perSecond = new Map<number, number>();
  for (const { event, time } of lines) {
    const second = Math.floor(time / 1_000);
    if (event === "vendor.polled") perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  const polls = lines.filter(({ event, call }) => event === "vendor.called" && call === "poll");
  return { listsMax: Math.max(...perSecond.values()), singlePolls: polls.length };
}
