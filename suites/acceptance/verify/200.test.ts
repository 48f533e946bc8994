import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { send } from "../src/client.ts";

test("anybody can ask whether a file was made here, by its SHA-256 and by the file", async () => {
  const file = randomBytes(64);
  const sha256 = createHash("sha256").update(file).digest("hex");
  const nothing = {
    result: "nothing_found",
    madeOn: null,
    madeAs: null,
    isOpened: false,
    marks: [],
  };
  const asked = await send(`/api/v1/verify?sha256=${sha256}`);
  expect([asked.status, asked.body]).toEqual([200, { ...nothing, sha256 }]);
  const sent = await send("/api/v1/verify", { method: "POST", body: file });
  expect([sent.status, sent.body]).toEqual([200, { ...nothing, sha256 }]);
});
