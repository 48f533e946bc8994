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
