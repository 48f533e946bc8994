import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { expect, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openTestBed } from "../../test/harness/test-context.ts";
import { newAssetId } from "../assets/asset-id.ts";
import { findAsset, insertAsset } from "../assets/queries.ts";
import { storeAsset } from "../assets/store-asset.ts";
import type { AccountId } from "../ids.ts";
import { saveEnds } from "../tasks/queries.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";
import { collectMedia } from "./collect-media.ts";
import { createTask } from "./create-task.ts";
import { submitJob } from "./submit/submit-job.ts";

/** Starts a host whose files never end, and a vendor that returns an image. */
async function startHosts() {
  const image = await sharp({ create: { width: 48, height: 32, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  let dripping = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/image.png") response.end(image);
    else if (request.method === "POST") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [{ b64_json: image.toString("base64") }] }));
    } else {
      dripping += 1;
      const timer = setInterval(() => response.write("x"), 200);
      response.on("close", () => clearInterval(timer));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dripping: () => dripping,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("forty dripping addresses of one account hold up neither another one's upload, nor its paid video, nor its image", async () => {
  await using cleanUp = new AsyncDisposableStack();
  const scratch = cleanUp.use(await makeScratch("isolation"));
  const hosts = cleanUp.use(await startHosts());
  const videos = cleanUp.use(await serveFiles({ dir: scratch.path }));
  const vendor = { name: "images", kind: "openai", apiKey: "none", baseUrl: hosts.url };
  const bed = await openTestBed({ VENDORS: JSON.stringify([vendor]) });
  const { ctx } = bed;
  const noisy = await bed.openAccount();
  const quiet = await bed.openAccount({ openTasksMax: 5 });
  const upload = (accountId: AccountId, path: string) =>
    insertAsset(ctx.db, {
      upstreamAssetId: newAssetId(new Date()),
      accountId,
      type: "IMAGE",
      name: null,
      source: { kind: "url", url: hosts.url + path },
    }).then(({ id }) => id);
  const drips: Promise<unknown>[] = [];
  for (let n = 0; n < 40; n++)
    drips.push(storeAsset(ctx, await upload(noisy.id, `/drip-${n}`)).catch(() => {}));
  await waitUntil("some of them drip", () => hosts.dripping() > 1, { timeoutMs: 300_000 });

  const assetId = await upload(quiet.id, "/image.png");
  await storeAsset(ctx, assetId);
  expect((await findAsset(ctx.db, assetId))?.storage_key).not.toBeNull();

  const createOne = (model: string) =>
    createTask(ctx, quiet, { model, inputs: { prompt: "a fox" } }, null);
  const { taskId } = await createOne("sd2");
  await claimSubmit(ctx.pool, claimOf(taskId));
  await bindJob(ctx.pool, { taskId, jobId: randomUUID(), pollMs: 60_000 });
  const path = await renderFile(
    join(scratch.path, "video.mp4"),
    pattern({ size: "64x64", rate: 2, seconds: 1 }),
  );
  const end = { taskId, resultUrl: videos.urlOf(path), failureCode: null, detail: null };
  await saveEnds(ctx.pool, [end]);
  expect(await collectMedia(ctx, taskId)).toMatchObject({ kind: "delivered" });

  const image = await createOne("image-pro-2");
  expect(await submitJob(ctx, image.taskId)).toMatchObject({ kind: "delivered" });
  expect(hosts.dripping()).toBeLessThan(40);
  await hosts[Symbol.asyncDispose]();
  await Promise.all(drips);
  await bed[Symbol.asyncDispose]();
});
