import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { base64BytesOf, encodeBase64 } from "./encode-base64.ts";

test.each([
  [[]],
  [[0]],
  [[1]],
  [[2]],
  [[3]],
  [[1, 1, 1]],
  [[2, 2, 0, 2]],
  [[4, 5, 3]],
  [[65_536, 65_536, 1_000]],
])("chunks of %j bytes are encoded as if they were one", async (lengths) => {
  const chunks = lengths.map((length) => randomBytes(length));
  const whole = Buffer.concat(chunks);
  const texts: string[] = [];
  for await (const text of encodeBase64(chunks)) texts.push(text);
  expect(texts.join("")).toBe(whole.toString("base64"));
  expect(base64BytesOf(whole.length)).toBe(texts.join("").length);
});
