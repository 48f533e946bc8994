import { expect, test } from "vitest";
import { createWindow } from "./window.ts";

const hourMs = 3_600_000;

test("counts by name, below zero never, and says when the window ends", () => {
  const window = createWindow(hourMs);
  expect(window.add("a").count).toBe(1);
  expect(window.add("a", 2).count).toBe(3);
  expect(window.add("b").count).toBe(1);
  expect(window.add("a", -5).count).toBe(0);
  const { secondsLeft } = window.add("a", 0);
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThanOrEqual(3_600);
});

test("a window that is over begins anew", () => {
  const window = createWindow(0);
  window.add("a");
  expect(window.add("a").count).toBe(1);
});

test("of more names than are remembered the one whose window is oldest is forgotten", () => {
  const window = createWindow(hourMs);
  for (let n = 0; n <= 100_000; n += 1) window.add(`${n}`);
  expect(window.add("1", 0).count).toBe(1);
  expect(window.add("0", 0).count).toBe(0);
});
