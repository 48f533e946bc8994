import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather } from "./gather.ts";

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
    }),
);
afterEach(() => void vi.useRealTimers());

function gathering() {
  const sent: number[][] = [];
  return { sent, gathered: gather<number, null>((items) => sent.push([...items.keys()])) };
}

test("after a pause an item is sent at once, with those of the same moment", () => {
  const { sent, gathered } = gathering();
  vi.advanceTimersByTime(1_000);
  gathered.add(1, null);
  gathered.add(2, null);
  gathered.add(1, null);
  vi.advanceTimersByTime(0);
  expect(sent).toEqual([[1, 2]]);
});

test("one item after the other waits at most 20 ms, and is not delayed by those behind it", () => {
  const { sent, gathered } = gathering();
  vi.advanceTimersByTime(1_000);
  gathered.add(1, null);
  vi.advanceTimersByTime(1);
  gathered.add(2, null);
  vi.advanceTimersByTime(18);
  gathered.add(3, null);
  expect(sent).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([[1], [2, 3]]);
});

test("a thousand a second are sent in ten to twenty requests", () => {
  const { sent, gathered } = gathering();
  for (let n = 0; n < 1_000; n++) {
    gathered.add(n, null);
    vi.advanceTimersByTime(1);
  }
  gathered.flush();
  expect(sent.flat()).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  expect(sent.length).toBeLessThanOrEqual(20);
  expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(64);
});
