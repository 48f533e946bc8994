import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { startReceiver } from "../../test/harness/receiver.ts";
import { createSafeFetch, readAtMost, resolveAllowed } from "./safe-fetch.ts";

const get = { method: "GET", protocols: ["http:"], totalMsMax: 5_000 } as const;

test("a loopback address is never connected to, by number or by a name that resolves to it", async () => {
  await using receiver = await startReceiver();
  const safeFetch = createSafeFetch({ allowLoopback: false });
  const { port } = new URL(receiver.url);
  await expect(safeFetch(`http://127.0.0.1:${port}/`, get)).rejects.toThrow("public address");
  await expect(safeFetch(`http://localhost:${port}/`, get)).rejects.toThrow("public address");
  expect(receiver.received).toEqual([]);
  await safeFetch.close();
});

test("a name is judged by every address it resolves to, before connecting", async () => {
  // `localhost` passes the look of the URL here and is stopped by the connector, which resolves it.
  await expect(resolveAllowed("localhost", { allowLoopback: false })).rejects.toThrow("not public");
  await expect(resolveAllowed("[::1]", { allowLoopback: false })).rejects.toThrow("not public");
  expect(await resolveAllowed("8.8.8.8", { allowLoopback: false })).toBe("8.8.8.8");
});

test("nothing ambient is sent along", async () => {
  await using receiver = await startReceiver();
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const { status } = await safeFetch(receiver.url, get);
  expect(status).toBe(200);
  const [request] = receiver.received;
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
    "accept-encoding",
    "connection",
    "host",
  ]);
  await safeFetch.close();
});

test("of a long answer only the permitted bytes are read", async () => {
  let produced = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        produced += 1;
        yield Buffer.alloc(1024);
      }
    })(),
  );
  expect((await readAtMost(endless, 10_000)).length).toBe(10_000);
  expect(produced).toBeLessThan(100);
  expect(endless.destroyed).toBe(true);
});
