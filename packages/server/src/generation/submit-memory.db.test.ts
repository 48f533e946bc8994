import { once } from "node:events";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { insertAsset } from "../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { newObjectKey } from "../media/storage/storage.ts";
import { createTask } from "./create-task.ts";
import { submitJob } from "./submit/submit-job.ts";

const megabyte = 1024 * 1024;
const fileBytes = 45 * megabyte;
const filesPerEdit = 5;
const editsAtOnce = 4;

/** Starts a vendor that takes everything, keeps nothing and returns a small image. */
async function startVendor(image: Buffer) {
  const received: number[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => {
      received.push(bytes);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [{ b64_json: image.toString("base64") }] }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** An image of the library: a small one, and nothing behind it up to its size. */
async function storeImage(bed: TestBed, accountId: AccountId, number: number, image: Buffer) {
  const upstreamAssetId = `asset-20260101000000-${String(number).padStart(5, "a")}`;
  const key = newObjectKey("png");
  const path = join(bed.storageDir, key.slice(0, 2), key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, image);
  await truncate(path, fileBytes);
  const facts = { type: "IMAGE", contentType: "image/png", sizeBytes: fileBytes } as const;
  await insertAsset(bed.database, { accountId, upstreamAssetId, ...facts });
  await bed.database.sql("update assets set storage_key = $1 where upstream_asset_id = $2", [
    key,
    upstreamAssetId,
  ]);
  return `asset://${upstreamAssetId}`;
}

/** The most memory outside of V8's heap while the work lasts, beyond what there was before. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const external = () => process.memoryUsage().external;
  const before = external();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, external());
  }, 5);
  await work().finally(() => clearInterval(timer));
  return most - before;
}

test("many edits of large files at once never have their files in memory", async () => {
  const image = await sharp({ create: { width: 400, height: 400, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  await using vendor = await startVendor(image);
  const vendorAccount = { name: "images", kind: "openai", apiKey: "none", baseUrl: vendor.url };
  await using bed = await openTestBed({ VENDORS: JSON.stringify([vendorAccount]) });
  const caller = await bed.openAccount({ openTasksMax: editsAtOnce });
  const urls: string[] = [];
  for (let n = 0; n < filesPerEdit; n++) urls.push(await storeImage(bed, caller.id, n, image));
  const taskIds: TaskId[] = [];
  for (let n = 0; n < editsAtOnce; n++) {
    const inputs = { prompt: "make it night", urls, resolution: "1k" };
    const body = { model: "image-pro-2", inputs };
    taskIds.push((await createTask(bed.ctx, caller, body, null)).taskId);
  }
  const growth = await growthOf(async () => {
    const submitted = await Promise.all(taskIds.map((taskId) => submitJob(bed.ctx, taskId)));
    for (const result of submitted) expect(result).toMatchObject({ kind: "delivered" });
  });
  expect(vendor.received).toHaveLength(editsAtOnce);
  for (const bytes of vendor.received) expect(bytes).toBeGreaterThan(filesPerEdit * fileBytes);
  expect(growth / megabyte).toBeLessThan(300); // their files have 900
});
