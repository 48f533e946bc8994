import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { taskNamed } from "../../test/harness/named-ids.ts";
import { createWaker } from "./waker.ts";

const log = pino({ level: "silent" });
const wakeCount = 1_000;

/** Many more than are sent at once; waits for all of them. */
async function wakeMany(ingressUrl: string): Promise<void> {
  const waker = createWaker(ingressUrl, log);
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

test("an engine that answers gets the task's id and the handler's name", async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(202).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const waker = createWaker(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, log);
  waker.wake("generation", "poll", taskNamed("task-1"));
  await waker.close();
  expect(seen).toEqual(["POST /generation/task-1/poll/send"]);
  server.close();
});
