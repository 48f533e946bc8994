import { expect, test } from "vitest";
import { readTime } from "./command.ts";

test.each([
  "2026-11-18T13:30:19Z",
  "2026-11-18T14:30:19+01:00",
  "2026-11-18 13:30:19+00",
  "2026-11-18 13:30:19.000+00",
  "2026-11-18 14:30:19+01",
  "2026-11-18 14:30:19+0100",
])("%s is a time: that of RFC 3339, or as PostgreSQL writes it", (point) => {
  expect(readTime({ point }, "point")).toEqual(new Date("2026-11-18T13:30:19Z"));
});

test.each(["soon", "2026-13-18 13:30:19+00", "2026-11-18 13:30+x"])("%s is no time", (point) => {
  expect(() => readTime({ point }, "point")).toThrow("--point must be a time such as");
});
