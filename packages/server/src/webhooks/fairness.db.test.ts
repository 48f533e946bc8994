import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { deliverDue } from "./deliver-due.ts";
import { sendTest } from "./send-test.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({
    DELIVERY_INTERVAL_MS: "20",
    DELIVERY_SPEED: "10",
    TEST_EVENTS_PER_MINUTE_MAX: "300",
  });
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Starts a server that accepts connections and never responds. */
async function startHanging() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

// Without lanes the two hundred would be taken first, being due first, and hold every permit until they time out.
test("a receiver that hangs holds up neither the account's other receivers nor other accounts", async () => {
  await using hanging = await startHanging();
  await using good = await startReceiver();
  const [account, other] = [await bed.openAccount(), await bed.openAccount()];
  await Promise.all(Array.from({ length: 200 }, () => sendTest(bed.ctx, account, hanging.url)));
  await sendTest(bed.ctx, account, good.url);
  await sendTest(bed.ctx, other, good.url);
  const stop = new AbortController();
  const delivering = deliverDue(bed.ctx, stop.signal);
  await good.arrived(2);
  expect(hanging.sockets.size).toBeLessThanOrEqual(16);
  stop.abort();
  for (const socket of hanging.sockets) socket.destroy();
  await delivering;
});

// With fewer connections than attempts, some would spend their time limit waiting for one, and never be sent.
test("every attempt that is under way to one host is on the wire", async () => {
  await using patient = await openTestBed({ DELIVERY_INTERVAL_MS: "20" }); // nothing times out here
  await using hanging = await startHanging();
  const accounts = await Promise.all(Array.from({ length: 6 }, () => patient.openAccount()));
  const wanted = accounts.flatMap((account) => Array.from({ length: 16 }, () => account));
  await Promise.all(wanted.map((account) => sendTest(patient.ctx, account, hanging.url)));
  const stop = new AbortController();
  const delivering = deliverDue(patient.ctx, stop.signal);
  const countUnderWay = async () =>
    (await patient.database.sql("select from attempts where duration_ms is null")).length;
  await expect.poll(countUnderWay, { timeout: 180_000 }).toBe(64);
  await expect.poll(() => hanging.sockets.size, { timeout: 180_000 }).toBe(64);
  stop.abort();
  for (const socket of hanging.sockets) socket.destroy();
  await delivering;
});
