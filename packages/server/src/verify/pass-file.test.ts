import { createHash } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { passFile } from "./pass-file.ts";

const limits = { sizeBytesMax: 1_000, graceMs: 60_000, bytesPerSecondMin: 1 };
const slow = { ...limits, graceMs: 50, bytesPerSecondMin: 1_000_000 };

/** Collects what is passed on. */
function createTarget() {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { target, bytes: () => Buffer.concat(chunks) };
}

function createHanging(): Readable {
  const hanging = new Readable({ read: () => {} });
  hanging.push(Buffer.alloc(10));
  return hanging;
}

test("a body arrives as it is, with its SHA-256", async () => {
  const sent = Buffer.alloc(1_000, "zoetrope");
  const body = Readable.from([sent.subarray(0, 300), sent.subarray(300)]);
  const { target, bytes } = createTarget();
  const sha256 = createHash("sha256").update(sent).digest("hex");
  expect(await passFile(body, target, limits)).toBe(sha256);
  expect(bytes()).toEqual(sent);
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
  const passing = passFile(endless, createTarget().target, limits);
  await expect(passing).rejects.toMatchObject({ code: "body_too_large" });
  expect(chunks).toBeLessThan(100);
});

test("an empty body is refused", async () => {
  const passing = passFile(Readable.from([]), createTarget().target, limits);
  await expect(passing).rejects.toMatchObject({ code: "invalid_parameters", param: "body" });
});

test("a body that hangs is refused when it is slower than it may be", async () => {
  const hanging = createHanging();
  const passing = passFile(hanging, createTarget().target, slow);
  await expect(passing).rejects.toMatchObject({ code: "request_timeout" });
  expect(hanging.destroyed).toBe(true);
});

test("a client that leaves is told from a target that fails, and that from one that does not read", async () => {
  const gone = Object.assign(new Error("gone"), { code: "ECONNRESET" });
  const left = createHanging();
  const { target } = createTarget();
  target.once("error", () => {}); // of the stream to a worker, which listens
  const passing = passFile(left, target, limits);
  left.destroy(gone);
  await expect(passing).rejects.toMatchObject({ code: "request_timeout" });
  const failing = new Writable({ write: (_chunk, _encoding, done) => done(gone) });
  await expect(passFile(createHanging(), failing, limits)).rejects.toBe(gone);
  const stuck = new Writable({ highWaterMark: 1, write: () => {} });
  await expect(passFile(createHanging(), stuck, slow)).rejects.toMatchObject({
    name: "AbortError",
  });
});
