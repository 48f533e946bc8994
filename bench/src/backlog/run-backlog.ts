import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { formatSpread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent, request } from "undici";
import { startVendor } from "../lifecycle/vendor.ts";

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

const perSecond = 100;
const accountCount = 40;
const watchEveryMs = 1_000;
/** Only what is stuck reaches it. */
const drainMsMax = 3_600_000;

/**
 * The engine is killed, and started again after so many seconds in which tasks are created at a fixed
 * rate, whether or not earlier ones were answered.
 */
export async function runBacklog(seconds: number): Promise<void> {
  await using scratch = await makeScratch("backlog");
  await using vendor = await startVendor(null);
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: { VENDORS: vendor.settings, LOG_LEVEL: "info" },
  });
  const plan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountCount, plan));
  const agent = new Agent({ connections: 256 });
  const create = async (n: number) => {
    const sentAt = performance.now();
    const answer = await request(`${stack.apiUrl}/api/v1/jobs/createTask`, {
      ...{ method: "POST", dispatcher: agent },
      headers: {
        authorization: `Bearer ${accounts[n % accountCount]?.key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ model: "sd2", inputs: { prompt: `Fox no. ${n}.`, duration: "4s" } }),
    });
    await answer.body.dump();
    return { isAccepted: answer.statusCode === 200, tookMs: performance.now() - sentAt };
  };
  await withClient(stack.databaseOwnerUrl, async (db) => {
    await stack.restate.kill();
    print(`The engine is away for ${seconds} s; ${perSecond} creates a second …`);
    const answers = await atFixedRate(perSecond * seconds, create);
    const accepted = answers.filter(({ isAccepted }) => isAccepted).length;
    print(`creates: ${formatSpread(spreadOf(answers.map(({ tookMs }) => tookMs)))}`);
    const { open: backlog } = await readOpen(db);
    await stack.restate.restart();
    const { drainMs, lagMs } = await drain(db);
    const { rows } = await db.query<{ ended: number }>(
      "select count(*)::int as ended from tasks where id not in (select task_id from open_tasks)",
    );
    print(
      `accepted=${accepted}/${answers.length} finished=${rows[0]?.ended} backlog=${backlog} lag_s_max=${Math.round(lagMs / 1_000)} drain_s=${Math.round(drainMs / 1_000)}`,
    );
    if (accepted !== answers.length || rows[0]?.ended !== accepted) process.exitCode = 1;
  });
  await agent.close();
}

async function atFixedRate<Value>(count: number, send: (n: number) => Promise<Value>) {
  const startedAt = performance.now();
  const sent: Promise<Value>[] = [];
  while (sent.length < count) {
    const due = Math.min(count, ((performance.now() - startedAt) * perSecond) / 1_000);
    while (sent.length < due) sent.push(send(sent.length));
    await pause(5);
  }
  return Promise.all(sent);
}

/** The tasks that are not over, and how long the oldest one that no vendor has yet has waited. */
async function readOpen(db: Client): Promise<{ open: number; oldestMs: number }> {
  const { rows } = await db.query<{ open: number; oldestMs: number }>(
    `select count(*)::int as open, coalesce(extract(epoch from now() - min(tasks.created_at)
       filter (where submit_started_at is null)) * 1000, 0)::float8 as "oldestMs"
     from open_tasks join tasks on tasks.id = open_tasks.task_id`,
  );
  return rows[0] ?? { open: 0, oldestMs: 0 };
}

/** Until no task is open: how long that takes, and the longest that one has waited for its vendor. */
async function drain(db: Client): Promise<{ drainMs: number; lagMs: number }> {
  const startedAt = performance.now();
  let lagMs = 0;
  for (let n = 0; ; n++) {
    const passedMs = performance.now() - startedAt;
    const { open, oldestMs } = await readOpen(db);
    if (open === 0) return { drainMs: passedMs, lagMs };
    lagMs = Math.max(lagMs, oldestMs);
    if (passedMs > drainMsMax) throw new Error(`${open} tasks are still open`);
    if (n % 10 === 0)
      print(
        `${Math.round(passedMs / 1_000)} s: ${open} open, oldest without a vendor ${Math.round(oldestMs / 1_000)} s`,
      );
    await pause(watchEveryMs);
  }
}
