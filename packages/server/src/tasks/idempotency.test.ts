import { expect, test } from "vitest";
import { fingerprintOf } from "./idempotency.ts";

test("the order of keys and the layout do not change the fingerprint", () => {
  const one = JSON.parse('{"a":1,"b":{"c":[1,2],"d":null}}');
  const other = JSON.parse('{ "b": {"d": null, "c": [1, 2]}, "a": 1 }');
  expect(fingerprintOf(one)).toEqual(fingerprintOf(other));
});

test.each([
  [{ a: 1 }, { a: "1" }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: [12] }, { a: [1, 2] }],
  [{ a: null }, {}],
  [{ "a:1,b": 2 }, { a: 1, b: 2 }],
])("%j and %j differ", (one, other) => {
  expect(fingerprintOf(one)).not.toEqual(fingerprintOf(other));
});
