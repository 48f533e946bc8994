import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { downloadWithRetries } from "./download-with-retries.ts";
import { createSafeFetch } from "./safe-fetch.ts";

const safeFetch = createSafeFetch({ allowLoopback: true });
let scratch: Scratch;
let server: Server;
let asked = 0;
let answer: (response: ServerResponse, number: number) => void;
beforeAll(async () => {
  scratch = await makeScratch("retries");
  server = createServer((_request, response) => answer(response, ++asked));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
beforeEach(() => {
  asked = 0;
});
afterAll(async () => {
  await safeFetch.close();
  server.closeAllConnections();
  server.close();
  await scratch.remove();
});

function fetchOne(totalMsMax: number) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const limits = { sizeBytesMax: 100, totalMsMax };
  return downloadWithRetries(safeFetch, url, join(scratch.path, "file"), limits);
}

test("a server that fails twice is asked a third time", async () => {
  answer = (response, number) => {
    if (number < 3) response.destroy();
    else response.end("video");
  };
  expect(await fetchOne(10_000)).toMatchObject({ kind: "done", sizeBytes: 5 });
  expect(await readFile(join(scratch.path, "file"), "utf8")).toBe("video");
});

test("one that fails three times is refused", async () => {
  answer = (response) => response.writeHead(503).end();
  expect(await fetchOne(10_000)).toEqual({ kind: "refused", reason: "the connection failed" });
  expect(asked).toBe(3);
});

test("one that does not answer is asked once: the time is for all tries together", async () => {
  answer = () => {};
  expect(await fetchOne(300)).toEqual({ kind: "refused", reason: "it took more than 0.3 s" });
  expect(asked).toBe(1);
});
