import { expect, test } from "vitest";
import { intervalsOf } from "./intervals.ts";

const now = Date.UTC(2026, 2, 1, 13, 30);

test("a chart has a place for every hour, day and month of its period, and none after now", () => {
  const hours = intervalsOf("hour", 1, now);
  expect([hours.length, hours[0], hours.at(-1)]).toEqual([
    25,
    Date.UTC(2026, 1, 28, 13),
    Date.UTC(2026, 2, 1, 13),
  ]);
  const days = intervalsOf("day", 7, now);
  expect(days.map((start) => new Date(start).toISOString().slice(5, 10))).toEqual([
    "02-22",
    "02-23",
    "02-24",
    "02-25",
    "02-26",
    "02-27",
    "02-28",
    "03-01",
  ]);
  const months = intervalsOf("month", 365, now);
  expect([months.length, months[0], months.at(-1)]).toEqual([
    13,
    Date.UTC(2025, 2),
    Date.UTC(2026, 2),
  ]);
});
