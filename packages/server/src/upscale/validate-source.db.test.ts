import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { readBalance } from "../credits/ledger.ts";
import { createSafeFetch } from "../media/fetch/safe-fetch.ts";
import { readObject } from "../media/storage/read-object.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createUpscale } from "./create-upscale.ts";
import { queryUpscale } from "./query-upscale.ts";
import { listSegments } from "./segments/queries.ts";
import { validateSource } from "./validate-source.ts";

const credits = 10_000;

let scratch: Scratch;
let videos: FileServer;
let odd: Server;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("validate");
  videos = await serveFiles({ dir: scratch.path });
  odd = createServer((request, response) => answerOddly(request.url ?? "", response));
  odd.listen(0, "127.0.0.1");
  await once(odd, "listening");
  bed = await openTestBed();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
  odd.closeAllConnections();
  odd.close();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

const chunk = Buffer.alloc(1024 * 1024);

function answerOddly(path: string, response: ServerResponse): void {
  const to = new Map([
    ["/to-private", "https://10.0.0.1/video.mp4"],
    ["/to-file", "file:///etc/passwd"],
    ["/round", "/round"],
  ]).get(path);
  if (to !== undefined) return void response.writeHead(302, { location: to }).end();
  if (path === "/reset") return void response.destroy();
  if (path === "/text") return void response.end("no video at all");
  if (path !== "/endless") return void response.writeHead(Number(path.slice(1))).end();
  const go = () => {
    while (response.write(chunk));
  };
  response.on("drain", go);
  go();
}

const at = (path: string) => `http://127.0.0.1:${(odd.address() as AddressInfo).port}${path}`;

async function validate(url: string, ctx = bed.ctx, callBackUrl?: string) {
  const account = await bed.openAccount({ credits });
  const source = { type: "url", url } as const;
  const body = { source, targetResolution: "1080p", callBackUrl } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  return { account, taskId, validation: await validateSource(ctx, taskId) };
}

async function expectFailure(
  { account, taskId, validation }: Awaited<ReturnType<typeof validate>>,
  code: string,
): Promise<void> {
  expect(validation).toMatchObject({ kind: "failed", code });
  if (validation.kind !== "failed") return;
  await finishTask(bed.ctx, taskId, validation);
  expect(await queryUpscale(bed.ctx, account, taskId)).toEqual({
    taskId,
    status: "failed",
    targetResolution: "1080p",
    progress: 0,
    creditsConsumed: null,
    result: null,
    error: { code, message: validation.message },
    createdAt: expect.any(String),
    finishedAt: expect.stringMatching(/Z$/),
  });
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits, availableCredits: credits });
  expect(await listSegments(bed.ctx.db, taskId)).toEqual([]);
}

test.each([
  ["INVALID_URL", "a redirect to a private address", "/to-private"],
  ["INVALID_URL", "a redirect to a file", "/to-file"],
  ["URL_NOT_REACHABLE", "nothing there", "/404"],
  ["URL_NOT_REACHABLE", "a server that fails every time", "/503"],
  ["URL_NOT_REACHABLE", "a server that hangs up every time", "/reset"],
  ["URL_NOT_REACHABLE", "redirects in a circle", "/round"],
  ["UNSUPPORTED_MEDIA_TYPE", "no video", "/text"],
  ["FILE_TOO_LARGE", "more than 200 MB, for ever", "/endless"],
])("%s: %s fails the task and gives back what it held", async (code, _what, path) => {
  await expectFailure(await validate(at(path)), code);
});

test("URL_NOT_REACHABLE: nobody listens", async () => {
  await expectFailure(await validate("http://127.0.0.1:9099/video.mp4"), "URL_NOT_REACHABLE");
});

test("INVALID_URL: a name that turns out to be private; URL_NOT_REACHABLE: one that does not resolve", async () => {
  const known = new Map([["private.example.com", ["10.1.2.3"]]]);
  const safeFetch = createSafeFetch({ allowLoopback: true }, undefined, async (name) => {
    const addresses = known.get(name);
    if (addresses === undefined) throw new Error("ENOTFOUND");
    return addresses;
  });
  const ctx = { ...bed.ctx, safeFetch };
  for (const [name, code] of [
    ["private.example.com", "INVALID_URL"],
    ["none.example.com", "URL_NOT_REACHABLE"],
  ] as const)
    await expectFailure(await validate(`https://${name}/video.mp4`, ctx), code);
  await safeFetch.close();
});

test.each([
  ["SOURCE_RESOLUTION_TOO_HIGH", "large.mp4", { size: "1920x1080", rate: 1, seconds: 1 }],
  ["SOURCE_RESOLUTION_TOO_HIGH", "upright.mp4", { size: "1080x1922", rate: 1, seconds: 1 }],
  ["UNSUPPORTED_MEDIA_TYPE", "other.mkv", { size: "64x36", rate: 1, seconds: 2 }],
  ["UNSUPPORTED_MEDIA_TYPE", "other.avi", { size: "64x36", rate: 1, seconds: 2 }],
])("%s: %s fails the task and gives back what it held", async (code, name, video) => {
  const path = await renderFile(join(scratch.path, name), pattern(video));
  await expectFailure(await validate(videos.urlOf(path)), code);
});

test("DURATION_EXCEEDS_LIMIT: 601 s", async () => {
  const video = ["-f", "lavfi", "-i", "color=s=64x36:r=1:d=601", "-c:v", "libx264"];
  const path = await renderFile(join(scratch.path, "long.mp4"), video);
  await expectFailure(await validate(videos.urlOf(path)), "DURATION_EXCEEDS_LIMIT");
});

test.each([
  ["audio.mp3", ["-f", "lavfi", "-i", "sine=d=2"]],
  ["image.png", ["-f", "lavfi", "-i", "testsrc2=s=64x36", "-frames:v", "1"]],
  ["audio.mp4", ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac"]],
])("UNSUPPORTED_MEDIA_TYPE: %s is no video", async (name, args) => {
  const path = await renderFile(join(scratch.path, name), args);
  await expectFailure(await validate(videos.urlOf(path)), "UNSUPPORTED_MEDIA_TYPE");
});

test("the callback of a failure says what a query says", async () => {
  const failed = await validate(at("/404"), bed.ctx, "http://127.0.0.1:9098/hook");
  await expectFailure(failed, "URL_NOT_REACHABLE");
  const [delivery] = await bed.database.sql<{ body: string }>(
    "select body from deliveries where task_id = $1",
    [failed.taskId],
  );
  const seen = await queryUpscale(bed.ctx, failed.account, failed.taskId);
  expect(JSON.parse(delivery?.body ?? "")).toEqual(seen);
});

test("a source is priced by its measured seconds, once, however often the step runs", async () => {
  const path = await renderFile(
    join(scratch.path, "eight.mp4"),
    pattern({ size: "64x36", rate: 2, seconds: 7.5 }),
  );
  const { account, taskId, validation } = await validate(videos.urlOf(path));
  expect(validation).toEqual({ kind: "settled" });
  await Promise.all([1, 2, 3].map(() => validateSource(bed.ctx, taskId)));
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits,
    availableCredits: credits - 8 * 3,
  });
  const rows = await bed.database.sql(
    "select kind, amount::int from transfers where cause_id = $1 order by number",
    [taskId],
  );
  expect(rows).toEqual([
    { kind: "hold", amount: 15 },
    { kind: "raise", amount: 9 },
  ]);
  const segments = await listSegments(bed.ctx.db, taskId);
  expect(segments.reduce((sum, { frames }) => sum + frames, 0)).toBe(15);
});

test("two runs of the step at once: one source is kept, of which the store has one copy", async () => {
  const path = await renderFile(
    join(scratch.path, "twice.mp4"),
    pattern({ size: "64x36", rate: 2, seconds: 2 }),
  );
  const account = await bed.openAccount({ credits });
  const source = { type: "url", url: videos.urlOf(path) } as const;
  const { taskId } = await createUpscale(
    bed.ctx,
    account,
    { source, targetResolution: "4k" },
    null,
  );
  const before = await bed.database.sql("select key from media_objects");
  await Promise.all([1, 2].map(() => validateSource(bed.ctx, taskId)));
  const after = await bed.database.sql("select key from media_objects");
  expect(after).toHaveLength(before.length + 1);
  const [kept] = await bed.database.sql<{ source_key: string }>(
    "select source_key from upscales where task_id = $1",
    [taskId],
  );
  expect(await readObject(bed.ctx.storage, kept?.source_key ?? "", 1_000_000_000)).toEqual(
    await readFile(path),
  );
});

test("a source that is shorter when it is fetched again costs what the one that is upscaled costs", async () => {
  const long = await renderFile(
    join(scratch.path, "long.mp4"),
    pattern({ size: "64x36", rate: 1, seconds: 30 }),
  );
  const short = await renderFile(
    join(scratch.path, "short.mp4"),
    pattern({ size: "64x36", rate: 1, seconds: 6 }),
  );
  const swapped = createServer((_request, response) => {
    createReadStream(isStoring ? short : long).pipe(response);
  });
  let isStoring = false;
  swapped.listen(0, "127.0.0.1");
  await once(swapped, "listening");
  const url = `http://127.0.0.1:${(swapped.address() as AddressInfo).port}/video.mp4`;
  const account = await bed.openAccount({ credits });
  const body = { source: { type: "url", url }, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  const storage = { ...bed.ctx.storage, putFile: () => Promise.reject(new Error("away")) };
  await expect(validateSource({ ...bed.ctx, storage }, taskId)).rejects.toThrow("away");
  isStoring = true;
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({
    credits,
    availableCredits: credits - 3 * 6,
  });
  swapped.closeAllConnections();
  swapped.close();
});
