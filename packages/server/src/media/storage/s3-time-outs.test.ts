import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { newChunkStem } from "./chunks.ts";
import { openS3Storage } from "./s3-storage.ts";
import { newObjectKey, type Storage } from "./storage.ts";

/** The last bytes that a hanging store sends; nothing comes after them. */
const hangs: [string, string][] = [
  ["accepts a connection and never answers", ""],
  [
    "sends headers and never ends the body",
    "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\ncontent-type: application/xml\r\n\r\n<",
  ],
];

const limits = { connectMsMax: 500, idleMsMax: 400, callMsMax: 1_500 };
const waitMsMax = 20_000;

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("s3-time-outs");
  await writeFile(join(scratch.path, "file"), Buffer.alloc(4_000_000));
});
afterAll(() => scratch.remove());

function openAt(server: Server): Storage {
  return openS3Storage(
    {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket: "media",
      region: "us-east-1",
      accessKeyId: "key",
      secretAccessKey: "secret",
    },
    limits,
  );
}

describe.each(hangs)("with a store that %s", (_how, answer) => {
  const cleanUp = new AsyncDisposableStack();
  let storage: Storage;
  beforeAll(async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("data", () => socket.write(answer));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    storage = openAt(server);
    cleanUp.defer(async () => {
      await storage.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    });
  });
  afterAll(() => cleanUp.disposeAsync());

  const key = newObjectKey("mp4");
  const facts = { contentType: "video/mp4", sizeBytes: 4_000_000, sha256: "0".repeat(64) };
  const calls: [string, () => Promise<unknown>][] = [
    ["storing a file", () => storage.putFile(key, join(scratch.path, "file"), facts)],
    ["reading a file", () => storage.openRead(key).then((stream) => stream && buffer(stream))],
    ["listing chunks", () => storage.listChunks(newChunkStem())],
    ["removing a file", () => storage.remove(key)],
  ];
  test.each(calls)("%s ends within a bounded time", async (_what, call) => {
    const outcome = await Promise.race([
      call().then(
        () => "answered",
        () => "failed",
      ),
      new Promise((resolve) => setTimeout(resolve, waitMsMax, "still waiting").unref()),
    ]);
    expect(outcome).toBe("failed");
  });
});

test("finding a file and checking the store end within a bounded time with a store that never answers", async () => {
  const server = createServer((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
  await once(server, "listening");
  const storage = openAt(server);
  await expect(storage.locate(newObjectKey("mp4"))).rejects.toThrow();
  await expect(storage.check()).rejects.toThrow();
  await storage.close();
  server.close();
});

test("a call that fails prints nothing beside the log", async () => {
  const printed = (["debug", "error", "info", "log", "trace", "warn"] as const).map((method) =>
    vi.spyOn(console, method),
  );
  onTestFinished(() => {
    for (const spy of printed) spy.mockRestore();
  });
  const answer = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const storage = openAt(server);
  const facts = { contentType: "video/mp4", sizeBytes: 4_000_000, sha256: "0".repeat(64) };
  const storing = storage.putFile(newObjectKey("mp4"), join(scratch.path, "file"), facts);
  await expect(storing).rejects.toThrow();
  await expect(storage.openRead(newObjectKey("mp4"))).rejects.toThrow();
  await expect(storage.listChunks(newChunkStem())).rejects.toThrow();
  await storage.close();
  server.close();
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
});
