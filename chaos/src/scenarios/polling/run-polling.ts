import { setTimeout as pause } from "node:timers/promises";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { startStack } from "@zoetrope/testkit/stack.ts";
import { Client } from "pg";
import { readLines } from "../../kit/json-lines.ts";
import { openAccounts } from "../../kit/load/open-accounts.ts";
import { say } from "../../kit/say.ts";
import { createTasks } from "../waiting/create-tasks.ts";
import { residentMb } from "../waiting/memory.ts";

const accountsMax = 40;
const creditsPerTask = 24;
const pollFirstMs = 10_000;
/** The longest time between two looks at a job: a minute, with its jitter. */
const pollMsMax = 60_000 * 1.2;
const seenMsMax = pollMsMax + 2_000;
/** One each second; two can fall into one second of the clock. */
const listsPerSecondMax = 2;
const workMs = 180_000;
const memorySamples = 6;
const endMsMax = 600_000;

/** A job that takes its time, tells nothing, and ends without a video to render. */
const body = {
  model: "sd2",
  inputs: {
    prompt: `A snail on its way [sandbox:silent][sandbox:slow=${workMs / 1000}][sandbox:fail]`,
    duration: "4s",
  },
};

/**
 * Many tasks at once with a vendor that never calls back: when the ends are seen, what the waiting
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
    Array.from({ length: accountsMax }, (_, index) => ({
      ...{ name: `polling ${index}`, credits: creditsPerTask * openTasksMax },
      ...{ openTasksMax, schedule: null },
    })),
  );
  await createTasks(stack.apiUrl, accounts, tasks, body);
  say(`${tasks} tasks are with a vendor that tells nothing`);
  const memory = await sampleMemory(stack.worker.pid);
  const db = new Client({ connectionString: stack.databaseOwnerUrl });
  await db.connect();
  try {
    await untilNoneIsOpen(db);
    const lags = await readLags(db, stack.sandboxLog);
    const { listsMax, looks } = await countCalls(stack.worker.logFile);
    const at = (share: number) =>
      Math.round(lags[Math.floor(share * (lags.length - 1))] ?? Number.NaN);
    const grown = `${Math.min(...memory)}..${Math.max(...memory)}`;
    say(
      `tasks=${lags.length} seen_p50_ms=${at(0.5)} seen_max_ms=${at(1)} lists_per_s_max=${listsMax} single_looks=${looks} worker_rss_mb=${grown}`,
    );
    return lags.length === tasks && at(1) <= seenMsMax && listsMax <= listsPerSecondMax;
  } finally {
    await db.end();
  }
}

async function sampleMemory(pid: number): Promise<number[]> {
  const samples: number[] = [];
  for (let n = 0; n < memorySamples; n += 1) {
    await pause(workMs / 2 / memorySamples);
    samples.push(await residentMb(pid));
    say(`  worker ${samples.at(-1)} MB`);
  }
  return samples;
}

function untilNoneIsOpen(db: Client): Promise<void> {
  const isOver = async () => {
    const { rows } = await db.query<{ open: string }>("select count(*) as open from open_tasks");
    return rows[0]?.open === "0";
  };
  return waitUntil("every task has ended", isOver, { timeoutMs: endMsMax, intervalMs: 1_000 });
}

/** Milliseconds from the end of each job at the vendor to the end of its task, sorted. */
async function readLags(db: Client, journal: string): Promise<number[]> {
  const { rows } = await db.query<{ job: string; at: Date }>(
    `select s.vendor_job_id as job, t.completed_at as at
     from tasks t join submissions s on s.task_id = t.id where s.vendor_job_id is not null`,
  );
  const endedAt = new Map<string, number>();
  for (const line of await readLines<JournalLine>(journal))
    if (line.event === "status" && line.to === "failed") endedAt.set(line.jobId ?? "", line.at);
  return rows
    .map(({ job, at }) => at.getTime() - (endedAt.get(job) ?? Number.NaN))
    .sort((a, b) => a - b);
}

interface JournalLine {
  at: number;
  event: string;
  jobId?: string;
  to?: string;
}

/** The worker's calls about jobs: the most lists that fell into one second, and single looks. */
async function countCalls(log: string): Promise<{ listsMax: number; looks: number }> {
  const lines = await readLines<{ event: string; time: number; call?: string }>(log);
  const perSecond = new Map<number, number>();
  for (const { event, time } of lines) {
    const second = Math.floor(time / 1_000);
    if (event === "vendor.watched") perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  const looks = lines.filter(({ event, call }) => event === "vendor.called" && call === "look");
  return { listsMax: Math.max(...perSecond.values()), looks: looks.length };
}
