import { expect, test } from "vitest";
import { delayAfter } from "./schedule.ts";

const hourMs = 3_600_000;

test("four attempts: at once, then 1, 5 and 30 seconds after the failure before", () => {
  const none = { hours: 0, ageMs: 36_000 };
  expect([0, 1, 2, 3, 4].map((attempts) => delayAfter(attempts, none))).toEqual([
    0,
    1_000,
    5_000,
    30_000,
    null,
  ]);
});

test("a tail goes on from a minute, doubled each time, and ends with its hours", () => {
  for (const hours of [1, 24, 72]) {
    const delays: number[] = [];
    let ageMs = 36_000;
    for (let attempts = 4; ; attempts++) {
      const delayMs = delayAfter(attempts, { hours, ageMs });
      if (delayMs === null) break;
      delays.push(delayMs);
      ageMs += delayMs;
    }
    expect(delays[0]).toBe(60_000);
    for (const [index, delay] of delays.entries()) expect(delay).toBe(60_000 * 2 ** index);
    expect(ageMs).toBeLessThanOrEqual(hours * hourMs);
    expect(ageMs + 60_000 * 2 ** delays.length).toBeGreaterThan(hours * hourMs);
  }
});
