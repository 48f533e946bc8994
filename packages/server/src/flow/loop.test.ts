import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { createLoops } from "./loop.ts";

const log = createLog("silent", "test");

test("a loop that fails goes on, is known as such, and leaves the others alone", async () => {
  const stop = new AbortController();
  const loops = createLoops({ stop: stop.signal, log });
  let failures = 0;
  let turns = 0;
  const running = Promise.all([
    loops.repeat({ name: "bad", everyMs: 1 }, async () => {
      failures += 1;
      throw new Error("broken");
    }),
    loops.repeat({ name: "good", everyMs: 1 }, async () => {
      turns += 1;
    }),
  ]);
  await expect.poll(() => Math.min(failures, turns), { timeout: 180_000 }).toBeGreaterThan(3);
  stop.abort();
  await running;
  expect(loops.lastSuccessAt("bad")).toBeNull();
  expect(loops.lastSuccessAt("good")).toBeInstanceOf(Date);
  expect(loops.list().map(({ name }) => name)).toEqual(["bad", "good"]);
});

test("a turn that never ends is asked to, then given up, and the next one begins", async () => {
  const stop = new AbortController();
  const loops = createLoops({ stop: stop.signal, log });
  let turns = 0;
  let wasAsked = false;
  const running = loops.repeat({ name: "hangs", everyMs: 1, roundMsMax: 40 }, async (until) => {
    turns += 1;
    until.addEventListener("abort", () => {
      wasAsked = true;
    });
    if (turns < 3) await new Promise(() => {});
  });
  await expect.poll(() => loops.lastSuccessAt("hangs"), { timeout: 180_000 }).not.toBeNull();
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(wasAsked).toBe(true);
  stop.abort();
  await running;
});

test("a loop without a success for several of its turns is not alive", async () => {
  const stop = new AbortController();
  const loops = createLoops({ stop: stop.signal, log });
  const running = loops.repeat({ name: "bad", everyMs: 1, roundMsMax: 2 }, async () => {
    throw new Error("broken");
  });
  loops.monitor({ name: "good", everyMs: 1 })(); // its success
  const isAlive = () => Object.fromEntries(loops.list().map((loop) => [loop.name, loop.isAlive]));
  await expect.poll(isAlive, { timeout: 180_000 }).toEqual({ bad: false, good: true });
  stop.abort();
  await running;
});

test("an outage is logged when it begins, when its reason changes, and when it is over", async () => {
  const lines: { event: string; reason?: string; rounds?: number }[] = [];
  const noted = createLog("info", "test", { write: (line) => void lines.push(JSON.parse(line)) });
  const stop = new AbortController();
  const loops = createLoops({ stop: stop.signal, log: noted });
  let turns = 0;
  const running = loops.repeat({ name: "shaky", everyMs: 1 }, async () => {
    turns += 1;
    if (turns <= 5) throw new Error(turns <= 3 ? "away" : "full");
    if (turns === 8) throw new Error("away");
  });
  await expect.poll(() => turns, { timeout: 180_000 }).toBeGreaterThan(9);
  stop.abort();
  await running;
  expect(lines.map(({ event, reason, rounds }) => [event, reason ?? rounds])).toEqual([
    ["loop.failed", "Error: away"],
    ["loop.failed", "Error: full"],
    ["loop.recovered", 5],
    ["loop.failed", "Error: away"],
    ["loop.recovered", 1],
  ]);
});
