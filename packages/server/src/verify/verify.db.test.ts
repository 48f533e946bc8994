import assert from "node:assert";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { lavfi, makeImage, pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestBed } from "../../test/harness/test-context.ts";
import { openVerifyBed } from "../../test/harness/verify-bed.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import { labelImage } from "../labels/label-image.ts";
import { storePoster } from "../media/image/store-poster.ts";
import { measureFile } from "../media/storage/fetch-object.ts";
import { storeFile } from "../media/storage/objects.ts";
import { completeTask } from "../tasks/complete-task.ts";
import type { Verification } from "./schema.ts";

const cleanUp = new AsyncDisposableStack();
let bed: TestBed;
let scratch: Scratch;
let api: Awaited<ReturnType<typeof buildApi>>;
let port: number;
const made = { video: "", image: "" };
beforeAll(async () => {
  ({ bed } = cleanUp.use(await openVerifyBed({ TRUST_PROXY: "1" })));
  scratch = await makeScratch("verify");
  api = await buildApi(bed.ctx);
  await api.listen({ host: "127.0.0.1", port: 0 });
  port = (api.server.address() as AddressInfo).port;
  made.video = await renderFile(
    pathOf("made.mp4"),
    pattern({ size: "640x360", rate: 12, seconds: 3 }),
  );
  made.image = pathOf("made.png");
  await writeFile(made.image, await makeImage("mandelbrot=s=640x480"));
  await complete(made.video, "video/mp4", { width: 640, height: 360, durationMs: 3_000 });
  await complete(made.image, "image/png", { width: 640, height: 480, durationMs: null });
});
afterAll(async () => {
  await api.close();
  await cleanUp.disposeAsync();
  await scratch.remove();
});

const pathOf = (name: string) => join(scratch.path, name);

/** Stores a file as the output of a task, as the worker does. */
async function complete(
  path: string,
  contentType: string,
  sides: { width: number; height: number; durationMs: number | null },
): Promise<void> {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const facts = { contentType, ...(await measureFile(path)) };
  const key = await storeFile(bed.ctx, path, path.slice(path.lastIndexOf(".") + 1), facts);
  const output = { path, contentType, durationMs: sides.durationMs };
  const poster = await storePoster(bed.ctx, output, scratch.path, (webp) => webp);
  await completeTask(bed.ctx, taskId, { key, ...facts, ...sides, poster });
}

let strangers = 0;
/** An address of its own: one address may send only so many files. */
const nextStranger = () => `192.0.2.${++strangers}`;

function open(headers: Record<string, string | number> = {}, from = nextStranger()): ClientRequest {
  const sent = httpRequest({
    host: "127.0.0.1",
    port,
    path: "/api/v1/verify",
    method: "POST",
    headers: { "x-forwarded-for": from, ...headers },
  });
  sent.on("error", () => {}); // a reset after the response is expected
  return sent;
}

async function answerOf(sent: ClientRequest) {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

async function verify(bytes: Buffer, from?: string) {
  const sent = open({ "content-length": bytes.length }, from);
  sent.end(bytes);
  return answerOf(sent);
}

async function resultOf(path: string): Promise<Verification["result"]> {
  const { status, body } = await verify(await readFile(path));
  expect(status).toBe(200);
  return body.result;
}

async function query(sha256: string) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/verify?sha256=${sha256}`);
  const body = (await response.json()) as Verification & { param?: string };
  return { status: response.status, body };
}

const soon = { timeoutMs: 300_000 };
const today = /^\d{4}-\d\d-\d\d$/;

test("an output is recognised by its SHA-256 and as a file, and says nothing of its owner", async () => {
  const { sha256 } = await measureFile(made.video);
  const found = { result: "made_here", madeOn: expect.stringMatching(today), madeAs: "video" };
  const hashed = { ...found, isOpened: false, marks: [], sha256 };
  expect(await query(sha256)).toEqual({ status: 200, body: hashed });
  const sent = await verify(await readFile(made.video));
  expect(sent).toEqual({ status: 200, body: { ...hashed, isOpened: true } });
});

const half = "scale=trunc(iw/4)*2:-2";
const cropped = "crop=trunc(iw*0.485)*2:trunc(ih*0.485)*2";
const re = (input: string, name: string, args: readonly string[]) =>
  renderFile(pathOf(name), ["-i", input, "-an", ...args]);

test("an output is similar after half its size, another codec, a crop of 3 % and all of them", async () => {
  const files = [
    await re(made.video, "half.mp4", ["-vf", half, "-c:v", "libx264", "-crf", "32"]),
    await re(made.video, "mpeg4.mp4", ["-c:v", "mpeg4", "-q:v", "8"]),
    await re(made.video, "vp9.webm", [
      "-c:v",
      "libvpx-vp9",
      "-deadline",
      "realtime",
      "-b:v",
      "300k",
    ]),
    await re(made.video, "cropped.mp4", ["-vf", cropped, "-c:v", "libx264", "-r", "25"]),
    await re(made.video, "all.mp4", ["-vf", `${cropped},${half}`, "-c:v", "mpeg4", "-q:v", "8"]),
    await re(made.image, "half.jpg", ["-vf", half, "-q:v", "8"]),
    await re(made.image, "all.webp", ["-vf", `${cropped},${half}`, "-quality", "40"]),
  ];
  for (const path of files) expect([path, await resultOf(path)]).toEqual([path, "similar"]);
});

test("a file of somebody else is labelled by whom its own label names", async () => {
  const label = JSON.stringify({ Label: "1", ContentProducer: "A studio", ProduceID: "7" });
  const tagged = ["-movflags", "use_metadata_tags", "-metadata", `AIGC=${label}`];
  const source = lavfi("testsrc=s=320x180:r=10:d=1");
  const video = await renderFile(pathOf("labelled.mp4"), [...source, ...tagged]);
  const image = pathOf("labelled.png");
  const sourceType = "trainedAlgorithmicMedia";
  const bare = await makeImage("rgbtestsrc=s=320x240");
  await writeFile(
    image,
    labelImage(bare, "image/png", () => ({ aigc: label, sourceType })),
  );
  for (const path of [video, image]) {
    const { body } = await verify(await readFile(path));
    expect(body).toMatchObject({
      result: "labelled",
      madeOn: null,
      marks: [{ kind: "AIGC", producer: "A studio", propagator: null }],
    });
  }
});

test("other files are not found, whatever they are", async () => {
  const others = [
    await renderFile(pathOf("other.mp4"), lavfi("testsrc=s=320x180:r=10:d=1.5")),
    await renderFile(pathOf("grey.mp4"), lavfi("color=c=gray:s=320x180:r=10:d=1")),
    await renderFile(pathOf("mirrored.mp4"), ["-i", made.video, "-vf", "hflip", "-t", "1"]),
    await renderFile(pathOf("tone.mp3"), lavfi("sine=f=440:d=1")),
    pathOf("other.png"),
  ];
  await writeFile(pathOf("other.png"), await makeImage("smptebars=s=320x240"));
  for (const path of others) expect([path, await resultOf(path)]).toEqual([path, "nothing_found"]);
});

test("what is no media file is compared by its SHA-256 alone", async () => {
  const { status, body } = await verify(Buffer.from("<html>no media</html>"));
  expect(status).toBe(200);
  expect(body).toMatchObject({ result: "nothing_found", isOpened: false, marks: [] });
  const [half] = [(await readFile(made.video)).subarray(0, 5_000)];
  expect((await verify(half)).body).toMatchObject({ result: "nothing_found", isOpened: false });
});

test("a file that is empty or too large is refused", async () => {
  expect(await verify(Buffer.alloc(0))).toMatchObject({
    status: 400,
    body: { code: "invalid_parameters", param: "body" },
  });
  const large = open({ "content-length": 200 * 1024 * 1024 + 1 });
  large.flushHeaders();
  expect(await answerOf(large)).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  large.destroy();
});

test("one address sends one file at a time, and others are served meanwhile", async () => {
  const from = nextStranger();
  const slow = open({ "content-length": 100 }, from);
  slow.write("begins");
  await waitUntil("a file arrives", async () => (await openDirs()).length === 1, soon);
  const second = await verify(Buffer.from("a second"), from);
  expect(second).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
  expect((await verify(Buffer.from("of another"))).status).toBe(200);
  slow.destroy();
  await waitUntil("it is gone", async () => (await openDirs()).length === 0, soon);
  expect((await verify(Buffer.from("afterwards"), from)).status).toBe(200);
});

async function openDirs(): Promise<string[]> {
  const names = await readdir(bed.ctx.workDir).catch(() => []);
  return names.filter((name) => name.startsWith("verify-"));
}

test("one address sends 30 files in ten minutes", async () => {
  const from = nextStranger();
  const statuses: (number | undefined)[] = [];
  for (let file = 0; file < 31; file++) statuses.push((await verify(Buffer.alloc(0), from)).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(400));
  expect(statuses[30]).toBe(429);
});

test("a SHA-256 that is none is refused", async () => {
  for (const sha256 of ["", "AB".repeat(32), "ab".repeat(31)]) {
    const { status, body } = await query(sha256);
    expect([status, body.param]).toEqual([400, "sha256"]);
  }
});

test("nothing of a file stays", async () => {
  await waitUntil("no file is open", async () => (await openDirs()).length === 0, soon);
  assert((await bed.database.sql("select from media_objects")).length > 0);
  const keys = await bed.database.sql(
    "select from media_objects where task_id is null and expires_at is null",
  );
  expect(keys).toEqual([]);
});
