import { takeOldest } from "./take-oldest.ts";

const namesMax = 100_000;

interface Standing {
  count: number;
  secondsLeft: number;
}

/** Counts by name in windows of time, in bounded memory: the oldest window is dropped first. */
export interface Window {
  /** Adds to the window of the name, which begins with its first count, and returns its state. */
  add(name: string, amount?: number): Standing;
}

export function createWindow(windowMs: number): Window {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    add(name, amount = 1) {
      const now = Math.trunc(performance.now()); // rounded: sums of fractions can yield 61 of 60 seconds
      let window = windows.get(name);
      if (window === undefined || window.endsAt <= now) {
        windows.delete(name); // so that the oldest window stays the first
        window = { count: 0, endsAt: now + windowMs };
        windows.set(name, window);
        if (windows.size > namesMax) takeOldest(windows, 1);
      }
      window.count = Math.max(window.count + amount, 0);
      return { count: window.count, secondsLeft: Math.ceil((window.endsAt - now) / 1000) };
    },
  };
}
