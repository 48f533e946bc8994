import { expect, test } from "vitest";
import { readFaults } from "./fault-list.ts";

test("a list of faults has numbers and ranges", () => {
  expect(readFaults("3,7-9,12")).toEqual([3, 7, 8, 9, 12]);
});

test("what is no list of faults is refused", () => {
  for (const text of ["", "0", "a", "3,", "3-", "-3", "3;4"])
    expect(() => readFaults(text)).toThrow("is not a list of faults");
});
