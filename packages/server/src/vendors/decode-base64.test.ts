import { expect, test } from "vitest";
import { decodeBase64 } from "./decode-base64.ts";

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
