import { hostname } from "node:os";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("what carries secrets by its name is cut out, one level deep too", () => {
  let written = "";
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const log = createLog("info", "test", destination);
  const secret = "hush";
  log.info({
    prompt: secret,
    headers: { a: secret },
    request: { authorization: secret },
    taskId: "t",
  });
  expect(written).toContain('"taskId":"t"');
  expect(written).not.toContain(secret);
});

test("a line says which process wrote it", () => {
  let line = "";
  const to = {
    write(text: string) {
      line = text;
    },
  };
  createLog("info", "worker", to, "1.2.3").info({ event: "x" });
  const { role, host, pid, version } = JSON.parse(line) as Record<string, unknown>;
  expect({ role, host, pid, version }).toEqual({
    role: "worker",
    host: hostname(),
    pid: process.pid,
    version: "1.2.3",
  });
});
