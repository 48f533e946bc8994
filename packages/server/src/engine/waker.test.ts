import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { taskNamed } from "../../test/harness/named-ids.ts";
import { createWaker } from "./waker.ts";

const log = pino({ level: "silent" });
const wakeCount = 1_000;

/** Many more than are sent at once; waits for all of them. */
async function wakeMany(ingressUrl: string): Promise<void> {
  const waker = createWaker([ingressUrl], log);
  for (let n = 0; n < wakeCount; n++) {
    waker.wake("generation", "submit", taskNamed(`task-${n}`));
    if (n % 7 === 0) await turn();
  }
  await waker.close();
}

test("with nobody listening every wake-up comes to an end, and closing does not wait for ever", async () => {
  await wakeMany("http://127.0.0.1:9");
});

test("with an engine that breaks connections likewise", async () => {
  const server = createServer((request) => request.socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await wakeMany(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
});

/** An engine that accepts every request, and what it was sent. */
async function startEngine() {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    await text(request);
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(202).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, url, close: () => server.close() };
}

test("an engine that answers gets the task's id and the handler's name", async () => {
  const engine = await startEngine();
  const waker = createWaker([engine.url], log);
  waker.wake("generation", "poll", taskNamed("task-1"));
  await waker.close();
  expect(engine.seen).toEqual(["POST /generation/task-1/poll/send"]);
  engine.close();
});

const nobody = "http://127.0.0.1:9";

test("with a node away every wake-up reaches another one, and a call is answered", async () => {
  const engine = await startEngine();
  const outcomes: string[] = [];
  const waker = createWaker([nobody, engine.url], log, (outcome) => outcomes.push(outcome));
  await waker.check(2_000);
  for (const name of ["a", "b"]) waker.wake("generation", "poll", taskNamed(name));
  const wait = { owner: "account", msMax: 10_000 };
  expect(await waker.call(wait, "generation", "submit", taskNamed("c"))).toBe(true);
  await waker.close();
  expect(outcomes).toEqual(["sent", "sent"]);
  expect(engine.seen.toSorted()).toEqual([
    "GET /restate/health",
    "POST /generation/a/poll/send",
    "POST /generation/b/poll/send",
    "POST /generation/c/submit",
  ]);
  engine.close();
});

test("a node that failed is not tried again while another one works", async () => {
  let attempts = 0;
  const broken = createServer((request) => {
    attempts += 1;
    request.socket.destroy();
  });
  broken.listen(0, "127.0.0.1");
  await once(broken, "listening");
  const engine = await startEngine();
  const waker = createWaker(
    [`http://127.0.0.1:${(broken.address() as AddressInfo).port}`, engine.url],
    log,
  );
  for (let n = 0; n < 5; n++) await waker.check(2_000);
  expect(attempts).toBe(1);
  expect(engine.seen).toHaveLength(5);
  await waker.close();
  broken.close();
  engine.close();
});
