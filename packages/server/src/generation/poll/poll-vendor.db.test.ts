import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { wokenTasks } from "../../../test/harness/woken-tasks.ts";
import { createTask } from "../create-task.ts";
import { pollVendor } from "./poll-vendor.ts";

let engine: Receiver; // stands where the engine's ingress would
let vendor: Server; // its list fails as a whole when it is asked about a job that it cannot read
let bed: TestBed;
beforeAll(async () => {
  engine = await startReceiver(() => 202);
  vendor = createServer((request, response) => {
    const ids = new URL(request.url ?? "", "http://vendor").searchParams.getAll("filter.task_ids");
    const isBad = ids.some((id) => id.startsWith("bad"));
    const items = ids.map((id) => ({
      id,
      status: "succeeded",
      content: { video_url: `https://vendor.example/${id}.mp4` },
    }));
    response.writeHead(isBad ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ items, total: items.length }));
  });
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const { port } = vendor.address() as AddressInfo;
  const ark = { name: "ark", kind: "ark", baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" };
  bed = await openTestBed({
    RESTATE_INGRESS_URL: engine.url,
    VENDORS: JSON.stringify([ark]),
  });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  vendor.closeAllConnections();
  vendor.close();
  await engine[Symbol.asyncDispose]();
});
beforeEach(() => bed.database.sql("delete from open_tasks; delete from stuck_rows"));

/** Tasks that the vendor has accepted as these jobs, due to be polled. */
async function submitted(...jobIds: string[]): Promise<Map<string, string>> {
  const account = await bed.openAccount({ openTasksMax: jobIds.length, credits: 100_000 });
  const tasks = new Map<string, string>();
  for (const jobId of jobIds) {
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const { taskId } = await createTask(bed.ctx, account, body, null);
    await bed.database.sql(
      `update open_tasks set vendor_account = 'ark', submit_started_at = now(), vendor_job_id = $2,
         next_step_at = now() where task_id = $1`,
      [taskId, jobId],
    );
    tasks.set(jobId, taskId);
  }
  return tasks;
}

/** Polls once, as a worker does every second: what was taken and not seen is due again. */
async function poll(): Promise<void> {
  await bed.database.sql("delete from vendor_pace");
  await bed.database.sql("update open_tasks set next_step_at = now() where result_url is null");
  await pollVendor(bed.ctx, "ark");
}

const finishedJobs = async () =>
  (
    await bed.database.sql<{ id: string }>(
      "select vendor_job_id as id from open_tasks where result_url is not null order by 1",
    )
  ).map(({ id }) => id);

test("a job that fails the whole list is found, left alone, and all others are polled", async () => {
  const good = Array.from({ length: 12 }, (_, n) => `job-${String(n).padStart(2, "0")}`);
  const tasks = await submitted("bad", ...good);
  for (let round = 0; round < 30 && (await finishedJobs()).length < good.length; round++)
    await poll();
  expect(await finishedJobs()).toEqual(good);
  for (const jobId of good)
    await expect
      .poll(() => wokenTasks(engine, "poll"), { timeout: 180_000 })
      .toContain(tasks.get(jobId));
});

test("a vendor account with nothing due is not written to", async () => {
  await submitted("later");
  await bed.database.sql("delete from vendor_pace");
  await bed.database.sql("update open_tasks set next_step_at = now() + interval '1 hour'");
  await pollVendor(bed.ctx, "ark");
  expect(await bed.database.sql("select vendor_account from vendor_pace")).toEqual([]);
});

test("an end that cannot be written down keeps no other task from being woken", async () => {
  await bed.database.sql(
    "alter table open_tasks add constraint poison check (result_url not like '%poison%')",
  );
  const tasks = await submitted("job-a", "poison", "job-b");
  for (let round = 0; round < 5; round++) await poll();
  expect(await finishedJobs()).toEqual(["job-a", "job-b"]);
  expect(await bed.database.sql("select loop, key from stuck_rows")).toEqual([
    { loop: "poll ark", key: tasks.get("poison") },
  ]);
  await bed.database.sql("alter table open_tasks drop constraint poison");
});
