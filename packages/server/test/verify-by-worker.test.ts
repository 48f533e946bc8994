import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:http2";
import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type ServerProcess, type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { startWorkerFront, type WorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { labelImage } from "../src/labels/label-image.ts";
import { openPath } from "../src/verify/schema.ts";
import { workerToken } from "../src/verify/worker-token.ts";

/** A process with these options may start no program, as one that faces the internet must not need to. */
const startsNoProgram =
  "--permission --allow-fs-read=* --allow-fs-write=* --allow-addons --allow-worker";
const soon = { timeoutMs: 300_000 };

const cleanUp = new AsyncDisposableStack();
let scratch: Scratch;
let front: WorkerFront;
let stack: Stack;
let api: ServerProcess;
let labelled: Buffer;
beforeAll(async () => {
  scratch = cleanUp.use(await makeScratch("verify-by-worker"));
  front = cleanUp.use(await startWorkerFront({ dir: join(scratch.path, "front"), count: 1 }));
  stack = cleanUp.use(await startStack({ dir: scratch.path, serverEnv: front.envOf(0) }));
  const env = { NODE_OPTIONS: startsNoProgram };
  api = await stack.startServer({ role: "api", name: "confined-api", env });
  const label = JSON.stringify({ Label: "1", ContentProducer: "A studio", ProduceID: "7" });
  labelled = labelImage(await makeImage("rgbtestsrc=s=320x240"), "image/png", () => ({
    aigc: label,
    sourceType: "trainedAlgorithmicMedia",
  }));
});
afterAll(() => cleanUp.disposeAsync());

async function verify() {
  const response = await fetch(`${api.url}/api/v1/verify`, { method: "POST", body: labelled });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}

/** Sends bytes to the worker itself, as somebody who reaches its port. */
async function sendToWorker(authorization: string | null): Promise<number> {
  const session = connect(`http://127.0.0.1:${stack.serverEnv["WORKER_PORT"]}`);
  try {
    const request = session.request({
      ":method": "POST",
      ":path": openPath,
      ...(authorization === null ? {} : { authorization }),
    });
    request.end(labelled);
    const [headers] = (await once(request, "response")) as [Record<string, unknown>];
    return Number(headers[":status"]);
  } finally {
    session.destroy();
  }
}

test("an api that may start no program has files opened by a worker, through a balancer", async () => {
  const { status, body } = await verify();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    result: "labelled",
    isOpened: true,
    marks: [{ kind: "AIGC", producer: "A studio" }],
  });
});

test("a worker opens files for its own api alone", async () => {
  const secret = String(stack.serverEnv["VENDOR_CALLBACK_SECRET"]);
  const tenMinutes = 10 * 60_000;
  const forged = [
    null,
    "",
    ".",
    workerToken("another secret of a deployment, 32 characters"),
    workerToken(secret, Date.now() - tenMinutes),
    workerToken(secret, Date.now() + tenMinutes),
    `${Date.now() + 1}.${workerToken(secret).split(".")[1]}`,
  ];
  for (const token of forged) expect([token, await sendToWorker(token)]).toEqual([token, 401]);
  expect(await sendToWorker(workerToken(secret))).toBe(200);
});

test("a client that leaves takes its file back from the worker", async () => {
  const leaving = new AbortController();
  const unfinished = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from("begins")),
  });
  const sent = fetch(`${api.url}/api/v1/verify`, {
    method: "POST",
    body: unfinished,
    duplex: "half",
    signal: leaving.signal,
  } as RequestInit);
  const filesAt = async () => {
    const names = await readdir(String(stack.serverEnv["WORK_DIR"]), { recursive: true });
    return names.filter((name) => name.includes("verify-"));
  };
  await waitUntil("it arrives at the worker", async () => (await filesAt()).length > 0, soon);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await waitUntil("it is gone", async () => (await filesAt()).length === 0, soon);
});

test("while no worker is there, files are refused with a time to retry, and SHA-256 is compared", async () => {
  await stack.worker.kill();
  const refused = await verify();
  expect(refused).toMatchObject({ status: 503, body: { code: "verify_unavailable" } });
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  const query = await fetch(`${api.url}/api/v1/verify?sha256=${"ab".repeat(32)}`);
  expect(query.status).toBe(200);
  await stack.worker.restart();
  await waitUntil("a worker is back", async () => (await verify()).status === 200, soon);
});
