import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { Worker } from "node:worker_threads";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { listen } from "./listen.ts";

const host = "127.0.0.1";

async function serve(answer: () => Promise<string>) {
  const app = Fastify({ forceCloseConnections: "idle", return503OnClosing: false });
  app.get("/", answer);
  await listen(app, { host, port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, url: `http://${host}:${port}/` };
}

/** Opens connections from a separate thread, and reports when all are open and when all have a response. */
function clients(port: number, count: number): Worker {
  const text = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { connect } = require("node:net");
    const { port, host, count } = workerData;
    let open = 0;
    let answered = 0;
    for (let n = 0; n < count; n++) {
      const socket = connect(port, host, () => {
        socket.write("GET / HTTP/1.1\\r\\nHost: none\\r\\nConnection: close\\r\\n\\r\\n");
        if (++open === count) { Atomics.store(workerData.isOpen, 0, 1); Atomics.notify(workerData.isOpen, 0); }
      });
      socket.resume().on("end", () => ++answered === count && parentPort.postMessage("answered"));
    }`;
  return new Worker(text, { eval: true, workerData: { port, host, count, isOpen } });
}
const isOpen = new Int32Array(new SharedArrayBuffer(4));

test("connections that come at once are taken in far fewer turns of the event loop than they are", async () => {
  const { app, port } = await serve(async () => "ok");
  const count = 300;
  const worker = clients(port, count);
  await once(worker, "online");
  Atomics.wait(isOpen, 0, 0, 60_000); // this thread does nothing until all of them stand in line
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  const counting = new Promise<number>((resolve) => {
    let taken = 0;
    app.server.on("connection", () => {
      taken += 1;
      if (taken === count) resolve(turns);
    });
    setImmediate(turn);
  });
  const needed = await counting;
  await once(worker, "message");
  isOver = true;
  expect(needed).toBeLessThan(count / 3);
  await app.close();
});

test("an address that another process has is refused", async () => {
  const { app, port } = await serve(async () => "ok");
  await expect(listen(Fastify(), { host, port })).rejects.toThrow("EADDRINUSE");
  await app.close();
});

test("requests on any of the sockets are finished before a close is over, and none is taken after it", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const { app, port, url } = await serve(() => {
    begun += 1;
    return promise;
  });
  const answers = Array.from({ length: 40 }, async () => (await fetch(url)).text());
  await expect.poll(() => begun, { timeout: 180_000 }).toBe(40);
  let isClosed = false;
  const closing = app.close().then(() => {
    isClosed = true;
  });
  await expect.poll(() => refuses(port), { timeout: 180_000 }).toBe(true);
  expect(isClosed).toBe(false);
  resolve("done");
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["done"]));
  await closing;
});

function refuses(port: number): Promise<boolean> {
  const socket = connect(port, host);
  return new Promise((resolve) => {
    socket.on("connect", () => resolve(false)).on("error", () => resolve(true));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
