import { expect, test } from "vitest";
import { reasonBeside } from "./reason-beside.ts";

test("a status is not said twice, and every other reason is", () => {
  expect(reasonBeside(401, "answered 401")).toBeNull();
  expect(reasonBeside(302, "redirect refused")).toBe("redirect refused");
  expect(reasonBeside(null, "connection refused")).toBe("connection refused");
  expect(reasonBeside(200, null)).toBeNull();
});
