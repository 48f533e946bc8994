import { expect, test } from "vitest";
import { listFaults, readFaults } from "./fault-list.ts";

test("a list of faults has numbers and ranges, and comes back as it was", () => {
  expect(readFaults("3,7-9,12")).toEqual([3, 7, 8, 9, 12]);
  expect(readFaults(listFaults([3, 7, 8]))).toEqual([3, 7, 8]);
});

test("what is no list of faults is refused", () => {
  for (const text of ["", "0", "a", "3,", "3-", "-3", "3;4"])
    expect(() => readFaults(text)).toThrow("is not a list of faults");
});
