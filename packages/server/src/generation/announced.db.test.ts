import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { collectChanges } from "../../test/harness/collect-changes.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { claimSubmit } from "../tasks/submit-queries.ts";
import { createTask } from "./create-task.ts";
import { callbackToken } from "./poll/callback-token.ts";
import { pollJob } from "./poll/poll-job.ts";
import { receiveVendorCallback } from "./poll/receive-vendor-callback.ts";
import { endUserOf } from "./submit/call-vendor.ts";
import { submitJob } from "./submit/submit-job.ts";

/** Takes every video, has no time for images, and lists one job of the given caller. */
let listed = { id: "", safety_identifier: "" };
let jobs = 0;
let vendor: Server;
let bed: TestBed;
let announcements: Awaited<ReturnType<typeof collectChanges>>;
beforeAll(async () => {
  vendor = createServer((request, response) => {
    request.resume();
    const isImage = request.url?.startsWith("/images") ?? false;
    const created_at = Math.floor(Date.now() / 1000);
    response.writeHead(isImage ? 429 : 200, { "content-type": "application/json" });
    if (isImage) response.end(JSON.stringify({ error: { code: "rate_limit", message: "" } }));
    else if (request.method === "POST") response.end(JSON.stringify({ id: `job-${++jobs}` }));
    else if (request.url?.includes("?"))
      response.end(JSON.stringify({ items: [{ ...listed, status: "running", created_at }] }));
    else response.end(JSON.stringify({ id: listed.id, status: "running" }));
  });
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const { port } = vendor.address() as AddressInfo;
  const vendorAccount = (name: string, kind: string) => ({
    name,
    kind,
    apiKey: "none",
    baseUrl: `http://127.0.0.1:${port}/${name}`,
  });
  const vendors = [vendorAccount("ark", "ark"), vendorAccount("images", "openai")];
  bed = await openTestBed({ VENDORS: JSON.stringify(vendors) });
  announcements = await collectChanges(bed.database.ownerUrl);
});
afterAll(async () => {
  await announcements[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
  vendor.closeAllConnections();
  vendor.close();
});

async function createdTask(model: "sd2" | "image-pro-2" = "sd2") {
  const account = await bed.openAccount();
  const body = { model, inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  return { account, taskId };
}

const statusOf = async (taskId: TaskId) =>
  (await bed.database.sql("select status from tasks where id = $1", [taskId]))[0]?.["status"];

test("that a vendor took a task is announced", async () => {
  const { taskId } = await createdTask();
  await submitJob(bed.ctx, taskId);
  await announcements.announced(taskId);
  expect(await statusOf(taskId)).toBe("PROCESSING");
});

test("that an image is being asked for is announced", async () => {
  const { taskId } = await createdTask("image-pro-2");
  await submitJob(bed.ctx, taskId);
  await announcements.announced(taskId);
  expect(await statusOf(taskId)).toBe("PROCESSING");
});

test("that a vendor's callback named the job is announced", async () => {
  const { taskId } = await createdTask();
  await claimSubmit(bed.ctx.pool, claimOf(taskId));
  const token = callbackToken(bed.ctx.config.links.secret, taskId);
  const address = { vendorAccount: "ark", taskId, token };
  await receiveVendorCallback(bed.ctx, address, { id: "called-back", status: "running" });
  await announcements.announced(taskId);
  expect(await statusOf(taskId)).toBe("PROCESSING");
});

test("that a lost job was found is announced", async () => {
  const { account, taskId } = await createdTask();
  await claimSubmit(bed.ctx.pool, claimOf(taskId));
  listed = { id: "found", safety_identifier: endUserOf(account.id) };
  await pollJob(bed.ctx, taskId);
  await announcements.announced(taskId);
  expect(await statusOf(taskId)).toBe("PROCESSING");
});

test("that a task is over is announced, once", async () => {
  const { taskId } = await createdTask();
  const failed = { kind: "failed", code: "vendor_failed" } as const;
  await Promise.all([finishTask(bed.ctx, taskId, failed), finishTask(bed.ctx, taskId, failed)]);
  await announcements.announced(taskId);
  await bed.ctx.changes.close();
  expect(announcements.ids()).toEqual([]);
});
