import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { serverPackage } from "@zoetrope/dev/start-server.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { handOverLog, loadAfter, loadBefore, openLoad, query } from "./drill-load.ts";
import { type EndedTask, judgeDrill } from "./judge-drill.ts";
import { type BackupRepository, openRepository } from "./pgbackrest.ts";

const run = promisify(execFile);
const operator = join(serverPackage, "src/operator/main.ts");
const waitMsMax = 600_000;
const reconcilesMax = 20;
const linesShownMax = 60;

const sandboxEnv = { SANDBOX_QUEUED_MS: "200", SANDBOX_RUNNING_MS: "300" };
/** The engine keeps what it cannot hand to a worker: it is there when the database is restored. */
const serverEnv = { POLL_FIRST_MS: "1000", SUBMIT_RETRY_MS: "2000", ENGINE_ATTEMPTS_MAX: "1000" };

/**
 * Loses the database under load and restores it to an earlier point, with pgbackrest. Returns whether
 * nothing was lost or doubled once it was reconciled with engine, vendors and storage.
 */
export function runRestore(): Promise<boolean> {
  return inScratch("restore", async (dir) => {
    const postgresDir = join(dir, "postgres");
    const repository = await openRepository(join(dir, "backup"), postgresDir);
    const { postgresSettings } = repository;
    await using stack = await startStack({ dir, serverEnv, sandboxEnv, postgresSettings });
    await using receiver = await startReceiver();
    print("a full backup, and load before and after the point");
    await repository.backUp(stack.postgres.port);
    const load = await openLoad(stack, receiver.hookUrl);
    const point = await loadBefore(stack, load);
    await loadAfter(stack, load);
    await handOverLog(stack);
    const charged = await countCharges(stack);
    const delivered = receiver.received.length;

    const recovery = await recover(stack, repository, point);
    const isOver = async () => {
      await finishJobs(stack);
      return (await countOpen(stack)) === 0;
    };
    await waitUntil("no task is open", isOver, { timeoutMs: waitMsMax, intervalMs: 1_000 });
    const tasks = await readTasks(stack);
    const verdict = await judgeDrill(load.sent, tasks, stack.sandboxLog, recovery.reconciled);
    const { breaches } = await stack.operate("ledger", "verify");
    for (const fault of [...verdict.lost, ...verdict.doubled]) print(`  ${fault}`);
    print(
      `${charged} tasks were charged before; ${receiver.received.length - delivered} callbacks came after`,
    );
    return {
      hasPassed: verdict.lost.length + verdict.doubled.length === 0 && breaches === 0,
      lastLine: [
        `recovery_s=${recovery.totalS} restore_s=${recovery.restoreS} reconcile_s=${recovery.reconcileS}`,
        `differences=${recovery.differences} known=${verdict.known} completed=${verdict.completed} gone=${verdict.gone}`,
        `lost=${verdict.lost.length} doubled=${verdict.doubled.length} breaches=${breaches ?? "?"}`,
      ].join(" "),
    };
  });
}

/** Measures the time from the loss of the database until the api responds and a worker works. */
async function recover(stack: Stack, repository: BackupRepository, point: string) {
  const lostAt = performance.now();
  await Promise.all([stack.api.kill(), stack.worker.kill(), stack.postgres.kill()]);
  print(`the database is lost; restoring it to ${point}`);
  await repository.restore(point);
  await stack.postgres.restart();
  await waitUntil(
    "the database takes writes",
    async () => {
      const [row] = await query<{ is: boolean }>(stack, "select pg_is_in_recovery() as is");
      return row?.is === false;
    },
    { timeoutMs: waitMsMax },
  );
  const restoredAt = performance.now();
  // Nobody announces the restore: the worker notices it by itself, and does nothing that counts.
  await stack.worker.restart();
  await waitUntil("the worker has noticed", () => isBehind(stack), { timeoutMs: waitMsMax });
  print("the worker has noticed that the database is behind; it is stopped");
  await stack.worker.kill();
  const { reconciled, differences } = await reconcile(stack, point);
  const reconciledAt = performance.now();
  await Promise.all([stack.api.restart(), stack.worker.restart()]);
  const seconds = (from: number, to = performance.now()) => ((to - from) / 1000).toFixed(1);
  return {
    reconciled,
    differences,
    totalS: seconds(lostAt),
    restoreS: seconds(lostAt, restoredAt),
    reconcileS: seconds(restoredAt, reconciledAt),
  };
}

async function isBehind(stack: Stack): Promise<boolean> {
  const [row] = await query<{ is: boolean }>(
    stack,
    "select behind_since is not null as is from fence",
  );
  return row?.is === true;
}

/** First what would be done, then it, again until nothing is undecided. All that was printed. */
async function reconcile(stack: Stack, point: string) {
  const at = new Date(point).toISOString();
  const shown = await operate(stack, "reconcile", "--point", at);
  const lines = shown.text.trim().split("\n");
  print(
    lines
      .slice(0, linesShownMax)
      .map((line) => `  ${line}`)
      .join("\n"),
  );
  const texts = [shown.text];
  for (let times = 1; times <= reconcilesMax; times++) {
    const done = await operate(stack, "reconcile", "--point", at, "--apply");
    texts.push(done.text);
    if (done.code === 0) {
      const differences = lines.filter((line) => line.startsWith("kind ")).length;
      return { reconciled: texts.join("\n"), differences };
    }
    print(`  not settled after ${times}: the vendor's jobs go on`);
    await finishJobs(stack, "dashscope");
  }
  throw new Error(`reconcile is not settled: ${texts.at(-1)}`);
}

async function operate(stack: Stack, ...args: string[]): Promise<{ code: number; text: string }> {
  const env = childEnv(stack.serverEnv);
  try {
    const { stdout } = await run(process.execPath, [operator, ...args], { env });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    if (code !== 1 || stdout === "") throw new Error(`${args.join(" ")}: ${stderr}`);
    return { code, text: stdout };
  }
}

/** Lets the vendors end the jobs that they were scripted to hang on. */
async function finishJobs(stack: Stack, vendor?: string): Promise<void> {
  const control = controlSandbox(stack.sandboxControl);
  const jobs = (await control.listJobs()) as { id: string; status: string; vendor?: string }[];
  const open = jobs.filter(({ status }) => status === "running" || status === "queued");
  for (const { id } of open.filter((job) => vendor === undefined || job.vendor === vendor))
    await control.finish(id, "succeeded").catch((error: unknown) => {
      if (!String(error).includes("already")) throw error; // it was over a moment ago
    });
}

async function countCharges(stack: Stack): Promise<number> {
  const text = "select count(*)::int as count from transfers where kind = 'capture'";
  return (await query<{ count: number }>(stack, text))[0]?.count ?? 0;
}

async function countOpen(stack: Stack): Promise<number> {
  const text = "select count(*)::int as count from open_tasks";
  return (await query<{ count: number }>(stack, text))[0]?.count ?? -1;
}

function readTasks(stack: Stack): Promise<EndedTask[]> {
  return query<EndedTask>(
    stack,
    `select id, status, error_code as "errorCode",
      (select count(*)::int from transfers where cause_id = tasks.id and kind = 'capture') as captures,
      (select count(*)::int from transfers where cause_id = tasks.id and kind = 'release') as releases,
      array(select vendor_job_id from submissions where task_id = tasks.id and vendor_job_id is not null) as "jobIds"
     from tasks`,
  );
}
