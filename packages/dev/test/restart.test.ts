import { createClient } from "@zoetrope/testkit/api-client.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, onTestFinished, test } from "vitest";
import { type DevState, openDevState } from "../src/dev-state.ts";
import { freePort } from "../src/services/ports.ts";
import { startStack } from "../src/stack.ts";

const taskMsMax = 240_000;

/** Starts the same stack as `zoetrope dev`, with its own ports and secrets. */
function start(dir: string, { ports, secrets }: DevState, runningMs: number) {
  const sandboxEnv = { SANDBOX_RUNNING_MS: String(runningMs) };
  return startStack({ dir, ports, sandboxEnv, serverEnv: { POLL_FIRST_MS: "500", ...secrets } });
}

test("tasks that are open when the service is stopped are completed after the next start, each by its first job", async () => {
  const scratch = await makeScratch("restart");
  onTestFinished(() => scratch.remove());
  const taskIds: string[] = [];
  let key = "";
  {
    const port = String(await freePort()); // the usual one may be another test's
    await using stack = await start(
      scratch.path,
      await openDevState(scratch.path, port),
      3_600_000,
    );
    ({ key } = await stack.openAccount({ name: "first account", credits: 1_000 }));
    const client = createClient(stack.apiUrl, key);
    for (const model of ["sd2", "happyhorse", "sd2"])
      taskIds.push(await client.create(model, { prompt: "a slow river" }));
    const sandbox = controlSandbox(stack.sandboxControl);
    await expect
      .poll(async () => (await sandbox.listJobs()).map(({ status }) => status), {
        timeout: 240_000,
      })
      .toEqual(["running", "running", "running"]);
  }
  await using again = await start(scratch.path, await openDevState(scratch.path, undefined), 100);
  const client = createClient(again.apiUrl, key, { taskMsMax, pollMs: 200 });
  for (const taskId of taskIds)
    expect(await client.finished(taskId)).toMatchObject({ status: "COMPLETED" });
  expect(await controlSandbox(again.sandboxControl).listJobs()).toHaveLength(3);
});
