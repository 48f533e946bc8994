import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { freeBuffers } from "./free-buffers.ts";

const megabyte = 1024 * 1024;
const chunkBytes = 64 * 1024;

function* chunks(bytes: number) {
  for (let at = 0; at < bytes; at += chunkBytes) yield Buffer.allocUnsafeSlow(chunkBytes);
}

const isForced = (entry: PerformanceEntry) =>
  ((entry as PerformanceEntry & { detail: { flags: number } }).detail.flags &
    constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !==
  0;

test("the buffers of a large stream are freed every 8 MB while it runs", async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().filter(isForced).length;
  });
  observer.observe({ entryTypes: ["gc"] });
  let seenBytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      seenBytes += chunk.length;
      setImmediate(done);
    },
  });
  const source = Readable.from(chunks(256 * megabyte), { objectMode: false });
  await pipeline(source, freeBuffers(), sink);
  await new Promise(setImmediate);
  for (const entry of observer.takeRecords()) if (isForced(entry)) collections += 1;
  observer.disconnect();
  expect(seenBytes).toBe(256 * megabyte);
  expect(collections).toBeGreaterThanOrEqual(256 / 8);
});
