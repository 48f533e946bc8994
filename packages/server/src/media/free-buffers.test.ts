import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { freeBuffers } from "./free-buffers.ts";

const megabyte = 1024 * 1024;
const chunkBytes = 64 * 1024;

function* chunks(bytes: number) {
  for (let at = 0; at < bytes; at += chunkBytes) yield Buffer.allocUnsafeSlow(chunkBytes);
}

test("the buffers of a large stream are freed while it runs", async () => {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  let seenBytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      seenBytes += chunk.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      setImmediate(done);
    },
  });
  const source = Readable.from(chunks(256 * megabyte), { objectMode: false });
  await pipeline(source, freeBuffers(), sink);
  expect(seenBytes).toBe(256 * megabyte);
  expect(most / megabyte).toBeLessThan(20);
});
