import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { base64BytesOf, decodeBase64, encodeBase64 } from "./base64.ts";

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

test.each([
  ["AA==", [0]],
  ["AAE=", [0, 1]],
  ["AAEC", [0, 1, 2]],
  ["+/+/", [251, 255, 191]],
])("%s is read", (text, bytes) => {
  expect(decodeBase64(text)).toEqual(Buffer.from(bytes));
});

test.each([
  "",
  "AA", // no padding
  "AA=", // too little of it
  "AB==", // bits that are left over
  "-_-_", // the other alphabet
  "AAEC\n",
  " AAEC",
  "AA==AA==",
  "data:image/png;base64,AAEC",
  "not base64 at all",
])("%j is not", (text) => {
  expect(decodeBase64(text)).toBeNull();
});
