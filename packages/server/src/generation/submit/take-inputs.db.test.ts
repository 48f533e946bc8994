import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { animatedImages } from "@zoetrope/testkit/make-media.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import type { TaskId } from "../../ids.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { createTask } from "../create-task.ts";
import { submitJob } from "./submit-job.ts";
import { takeInputs } from "./take-inputs.ts";

/** The caller's images under /images/WxH.png, and Ark under /ark. */
let server: Server;
let base: string;
let bed: TestBed;
let fetched: string[] = [];
let links: string[] = [];
let colour = "red";
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = request.url ?? "";
    if (path.startsWith("/ark")) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { content } = JSON.parse(Buffer.concat(chunks).toString()) as {
        content: { image_url?: { url: string } }[];
      };
      links.push(...content.flatMap(({ image_url }) => image_url?.url ?? []));
      response.end(JSON.stringify({ id: `job-${links.length}` }));
      return;
    }
    fetched.push(path);
    const [width = 0, height = 0] = (/(\d+)x(\d+)/.exec(path) ?? []).slice(1).map(Number);
    const create = { width, height, channels: 3, background: colour } as const;
    if (width === 0) response.writeHead(404).end();
    else response.end(await sharp({ create }).png().toBuffer());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ark = { name: "ark", kind: "ark", baseUrl: `${base}/ark`, apiKey: "none" };
  bed = await openTestBed({ VENDORS: JSON.stringify([ark]) });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const reference = { videoInputMode: "reference", resolution: "720x720", prompt: "x" };

async function createdTask(...images: string[]): Promise<TaskId> {
  const account = await bed.openAccount();
  const urls = images.map((name) => `${base}/images/${name}`);
  const inputs = images.length > 0 ? { ...reference, urls } : { prompt: "x" };
  return (await createTask(bed.ctx, account, { model: "sd2", inputs }, null)).taskId;
}

async function take(taskId: TaskId) {
  const task = await findOpenTask(bed.ctx.db, taskId);
  if (task === undefined) throw new Error("the task is over");
  return takeInputs(bed.ctx, task, null);
}

test("the vendor is given links of ours, never the caller's", async () => {
  const taskId = await createdTask("640x480.png", "480x640.png");
  links = [];
  await submitJob(bed.ctx, taskId);
  expect(links).toHaveLength(2);
  for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8080\/media\/\w+\.png$/);
});

test("a file is fetched once; what it shows later changes nothing", async () => {
  const taskId = await createdTask("500x500.png");
  fetched = [];
  const first = await take(taskId);
  colour = "blue";
  expect(await take(taskId)).toEqual(first);
  expect(fetched).toEqual(["/images/500x500.png"]);
  const [row] = await bed.database.sql("select inputs from tasks where id = $1", [taskId]);
  expect(row).toMatchObject({
    inputs: [{ param: "inputs.urls[0]", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
});

test.each([
  ["399x800.png", "input_unusable", "inputs.urls[1]: must be at least 400 px on its shortest side"],
  ["gone.png", "input_unreachable", "inputs.urls[1]: could not be fetched: the link answered 404."],
])("of two files the bad one, %s, is named", async (name, code, message) => {
  const failed = await submitJob(bed.ctx, await createdTask("400x800.png", name));
  expect(failed).toMatchObject({ kind: "failed", code, message: expect.stringContaining(message) });
});

const imageModels = ["happyhorse", "image-pro-2"] as const;

test.each(
  imageModels.flatMap((model) => animatedImages.map((image) => [model, ...image] as const)),
)(
  "%s is not sent an animated image, %s, which is refused as animated",
  async (model, _name, make) => {
    await using scratch = await makeScratch("animated");
    await using images = await serveFiles({ tlsDir: scratch.path });
    const account = await bed.openAccount();
    const inputs = { prompt: "x", urls: [images.offer(await make())] };
    const { taskId } = await createTask(bed.ctx, account, { model, inputs }, null);
    expect(await take(taskId)).toEqual({
      kind: "failed",
      code: "input_unusable",
      message: "inputs.urls[0]: is animated; send a single image.",
    });
  },
);

test("a task without files fetches nothing", async () => {
  fetched = [];
  expect(await take(await createdTask())).toEqual({ kind: "taken", files: new Map() });
  expect(fetched).toEqual([]);
});
