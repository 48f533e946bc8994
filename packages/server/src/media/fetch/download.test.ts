import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { download } from "./download.ts";
import { createSafeFetch } from "./safe-fetch.ts";

const limits = { sizeBytesMax: 1_000_000, totalMsMax: 20_000 };
const hurried = { ...limits, graceMs: 200, bytesPerSecondMin: 10_000 };

/** Starts a host with the given responses, and returns a function that downloads from it. */
async function startHost(answer: RequestListener) {
  const scratch = await makeScratch("download");
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const path = join(scratch.path, "file");
  return {
    path,
    take: (given: Parameters<typeof download>[3]) => download(safeFetch, url, path, given),
    async [Symbol.asyncDispose]() {
      await safeFetch.close();
      server.closeAllConnections();
      server.close();
      await scratch.remove();
    },
  };
}

const drip: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write("x"), 50);
  response.on("close", () => clearInterval(timer));
};

test("a file is stored as it came, with its size and hash", async () => {
  const bytes = Buffer.alloc(300_000, "zoetrope");
  await using host = await startHost((_request, response) => response.end(bytes));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(await host.take(limits)).toEqual({ kind: "done", sizeBytes: 300_000, sha256 });
  expect(await readFile(host.path)).toEqual(bytes);
});

test("what passes is seen once, whole and in order", async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  await using host = await startHost((_request, response) => response.end(bytes));
  const seen: Buffer[] = [];
  await host.take({ ...limits, onChunk: (chunk) => seen.push(chunk) });
  expect(Buffer.concat(seen)).toEqual(bytes);
});

test("a body that only drips is let go of long before the total time is over", async () => {
  await using host = await startHost(drip);
  expect(await host.take(hurried)).toEqual({
    kind: "refused",
    reason: "too slow: after 0.2 s, at least 10000 bytes per second are required",
    isTooSlow: true,
  });
});

test("a host that keeps just above the minimum rate is dropped, because that rate rises", async () => {
  await using host = await startHost((_request, response) => {
    const startedAt = performance.now();
    let sentBytes = 0;
    const timer = setInterval(() => {
      // Whatever the timers do, 20,000 bytes per second in all: twice what is due at first.
      const dueBytes = 20 * (performance.now() - startedAt) + 2_000;
      response.write(Buffer.alloc(Math.ceil(dueBytes - sentBytes)));
      sentBytes = dueBytes;
    }, 20);
    response.on("close", () => clearInterval(timer));
  });
  const taken = await host.take({ ...hurried, isRateRising: true });
  expect(taken).toMatchObject({ kind: "refused", isTooSlow: true });
});

test.each<[what: string, answer: RequestListener]>([
  ["headers", () => {}],
  ["a body", (_request, response) => response.flushHeaders()],
])("waiting for %s counts as slow too", async (_what, answer) => {
  await using host = await startHost(answer);
  expect(await host.take(hurried)).toMatchObject({ reason: expect.stringMatching(/^too slow/) });
});

test("a small file may be slow within the grace, and a large one takes its time at a fair rate", async () => {
  const steadily = (pieceBytes: number): RequestListener => {
    return (_request, response) => {
      let pieces = 0;
      const timer = setInterval(() => {
        response.write(Buffer.alloc(pieceBytes));
        if (++pieces < 10) return;
        clearInterval(timer);
        response.end();
      }, 50);
    };
  };
  await using small = await startHost(steadily(10));
  expect(await small.take({ ...hurried, graceMs: 3_000 })).toMatchObject({ sizeBytes: 100 });
  await using large = await startHost(steadily(20_000));
  expect(await large.take({ ...hurried, graceMs: 300 })).toMatchObject({ sizeBytes: 200_000 });
});

test("a file that says it is too large is not waited for", async () => {
  await using host = await startHost((_request, response) => {
    response.writeHead(200, { "content-length": limits.sizeBytesMax + 1 }).flushHeaders();
  });
  expect(await host.take(limits)).toMatchObject({ kind: "refused", isTooLarge: true });
});

test("a file that is too large is given up at the limit", async () => {
  await using host = await startHost((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", more);
    more();
  });
  expect(await host.take(limits)).toMatchObject({
    kind: "refused",
    reason: "larger than 1000000 bytes",
    isTooLarge: true,
  });
});

test("the total time holds for a body that is fast enough", async () => {
  await using host = await startHost(drip);
  const taken = host.take({ ...limits, totalMsMax: 300, graceMs: 100, bytesPerSecondMin: 0 });
  await expect(taken).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }));
});

test("a file is read no faster than its pace says, and comes whole", async () => {
  const bytes = Buffer.alloc(600_000, "zoetrope");
  await using host = await startHost((_request, response) => response.end(bytes));
  let reported = 0;
  const pace = (count: number) => {
    reported += count;
    return reported > 300_000 && reported - count <= 300_000 ? 1_000 : 0;
  };
  const startedAt = performance.now();
  expect(await host.take({ ...limits, pace })).toMatchObject({ kind: "done", sizeBytes: 600_000 });
  expect(performance.now() - startedAt).toBeGreaterThan(950);
  expect(reported).toBe(600_000);
  expect(await readFile(host.path)).toEqual(bytes);
});
