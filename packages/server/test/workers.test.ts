import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { startWorkerFront, type WorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

const taskMsMax = 150_000;
const cleanUp = new AsyncDisposableStack();
let scratch: Scratch;
let front: WorkerFront;
let stack: Stack;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  scratch = cleanUp.use(await makeScratch("workers"));
  front = cleanUp.use(await startWorkerFront({ dir: join(scratch.path, "front"), count: 2 }));
  stack = cleanUp.use(
    await startStack({
      dir: scratch.path,
      serverEnv: {
        POLL_FIRST_MS: "500",
        SUBMIT_RETRY_MS: "1000",
        SWEEP_INTERVAL_MS: "300",
        ...front.envOf(0),
      },
      sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
    }),
  );
  const { key } = await stack.openAccount({ name: "a", credits: 10_000, openTasksMax: 50 });
  client = createClient(stack.apiUrl, key);
});
afterAll(() => cleanUp.disposeAsync());

const startSecond = (name: string, env: Record<string, string>) =>
  stack.startServer({ role: "worker", name, isRegistered: true, stopGraceMs: 60_000, env });

async function submitsOf(worker: RunningProcess): Promise<number> {
  const lines = (await readFile(worker.logFile, "utf8")).split("\n");
  return lines.filter((line) => line.includes('"call":"submit"')).length;
}

const finishOne = async (prompt: string) => {
  const task = await client.finished(await client.create("sd2", { prompt }), taskMsMax);
  expect(task.status).toBe("COMPLETED");
};

test("workers behind one address share the steps; when one stops or dies, the other does them all", async () => {
  await using second = await startSecond("second", front.envOf(1));
  const shared = async () => (await submitsOf(stack.worker)) > 0 && (await submitsOf(second)) > 0;
  await waitUntil(
    "both workers have submitted a task",
    async () => {
      await finishOne("either of them gets it");
      return shared();
    },
    { timeoutMs: taskMsMax },
  );
  await second.stop();
  await finishOne("the other one is stopped");
  await second.restart();
  await stack.worker.kill();
  await finishOne("the other one is dead");
  await stack.worker.restart();
});

test("an engine that has lost its data gets to know the address again", async () => {
  await stack.restate.kill();
  await rm(join(scratch.path, "restate", "data"), { recursive: true });
  await stack.restate.restart();
  await finishOne("the engine has forgotten every worker");
});

test("a worker behind another address than a live one logs that steps come to one of them alone", async () => {
  await using other = await startSecond("elsewhere", { HEALTH_PORT: "0" });
  const logged = async () =>
    (await readFile(other.logFile, "utf8")).includes(`"event":"worker.other_address"`);
  await waitUntil("the worker has logged it", logged, { timeoutMs: taskMsMax });
  expect(await readFile(other.logFile, "utf8")).toContain(`"uri":"${front.url}"`);
  await finishOne("the address that was registered last gets it");
  expect(await submitsOf(other)).toBe(1);
});
