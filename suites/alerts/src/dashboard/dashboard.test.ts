import { expect, test } from "vitest";
import { placeRows } from "./panel.ts";
import { rows } from "./rows.ts";

interface Placed {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
}

test("no two panels overlap, none is wider than the page, and each has its own id and title", () => {
  const placed = placeRows(rows) as Placed[];
  expect(new Set(placed.map(({ id }) => id)).size).toBe(placed.length);
  expect(new Set(placed.map(({ title }) => title)).size).toBe(placed.length);
  const cells = placed.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});
