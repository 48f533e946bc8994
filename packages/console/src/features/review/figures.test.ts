import { expect, test } from "vitest";
import { perDay, sumOf } from "./figures.ts";

const day = (name: string, approved: number, refused: number) => ({
  day: name,
  reviewer: "r",
  reviewerName: null,
  approved,
  refused,
  undone: 1,
  seconds: 2,
  judged: approved + refused,
});

test("figures of several reviewers add up, and days without a decision have an empty bar", () => {
  const days = [day("2026-03-01", 1, 2), day("2026-02-27", 3, 0), day("2026-02-27", 1, 1)];
  expect(perDay(days)).toEqual([
    { day: "2026-02-27", approved: 4, refused: 1 },
    { day: "2026-02-28", approved: 0, refused: 0 },
    { day: "2026-03-01", approved: 1, refused: 2 },
  ]);
  expect(sumOf(days)).toEqual({ judged: 8, approved: 5, refused: 3, undone: 3, seconds: 6 });
  expect(perDay([])).toEqual([]);
});
