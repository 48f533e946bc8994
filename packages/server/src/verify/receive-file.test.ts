import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { receiveFile } from "./receive-file.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("receive");
});
afterAll(() => scratch.remove());

const limits = { sizeBytesMax: 1_000, graceMs: 60_000, bytesPerSecondMin: 1 };
const pathOf = (name: string) => join(scratch.path, name);

test("a body arrives as it is, with its SHA-256", async () => {
  const bytes = Buffer.alloc(1_000, "zoetrope");
  const body = Readable.from([bytes.subarray(0, 300), bytes.subarray(300)]);
  const received = await receiveFile(body, pathOf("whole"), limits);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(received).toEqual({ sizeBytes: 1_000, sha256 });
  expect(await readFile(pathOf("whole"))).toEqual(bytes);
});

test("a body that is too large is refused while it arrives", async () => {
  let chunks = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        chunks += 1;
        yield Buffer.alloc(100);
      }
    })(),
  );
  const receiving = receiveFile(endless, pathOf("large"), limits);
  await expect(receiving).rejects.toMatchObject({ code: "body_too_large" });
  expect(chunks).toBeLessThan(100);
});

test("an empty body is refused", async () => {
  const receiving = receiveFile(Readable.from([]), pathOf("empty"), limits);
  await expect(receiving).rejects.toMatchObject({ code: "invalid_parameters", param: "body" });
});

test("a body that hangs is refused when it is slower than it may be", async () => {
  const hanging = new Readable({ read: () => {} });
  hanging.push(Buffer.alloc(10));
  const slow = { ...limits, graceMs: 50, bytesPerSecondMin: 1_000_000 };
  const receiving = receiveFile(hanging, pathOf("slow"), slow);
  await expect(receiving).rejects.toMatchObject({ code: "request_timeout" });
  expect(hanging.destroyed).toBe(true);
});
