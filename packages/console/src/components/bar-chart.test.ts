import { expect, test } from "vitest";
import { ticksOf } from "./bar-chart.tsx";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 20, 40, 60, 80, 100]],
  [101, [0, 50, 100, 150]],
  [999_999, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
])("an axis up to %d has whole numbers that reach it: %j", (valueMax, ticks) =>
  expect(ticksOf(valueMax)).toEqual(ticks),
);
