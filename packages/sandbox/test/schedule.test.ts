import { expect, test } from "vitest";
import { startSchedule } from "../src/kit/schedule.ts";
import { sandboxForTest, until } from "./support.ts";

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

test("things run in the order of their times, and in the order given when times are equal", async () => {
  let time = 0;
  const schedule = startSchedule(() => time);
  const delays = Array.from({ length: 300 }, (_, index) => ({ ms: (index * 7_919) % 40, index }));
  const ran: (typeof delays)[number][] = [];
  for (const delay of delays) schedule.after(delay.ms, () => ran.push(delay));
  time = 40;
  await until("all ran", () => (ran.length === delays.length ? true : undefined));
  schedule.stop();
  expect(ran).toEqual(delays.toSorted((a, b) => a.ms - b.ms || a.index - b.index));
});

test("something due sooner overtakes what waits already, and nothing runs after stop", async () => {
  const schedule = startSchedule();
  const ran: string[] = [];
  schedule.after(3_600_000_000, () => ran.push("in a month"));
  schedule.after(30, () => {
    ran.push("soon");
    schedule.stop();
  });
  schedule.after(31, () => ran.push("after stop"));
  schedule.after(1, () => ran.push("sooner"));
  await until("stopped", () => (ran.includes("soon") ? true : undefined));
  const other = startSchedule();
  await new Promise<void>((resolve) => other.after(50, resolve));
  other.stop();
  expect(ran).toEqual(["sooner", "soon"]);
});

test("any number of waiting things hold one timer", () => {
  const before = timers();
  const schedule = startSchedule();
  for (let count = 0; count < 20_000; count++) schedule.after(60_000 - count, () => {});
  expect(timers() - before).toBe(1);
  schedule.stop();
  expect(timers()).toBe(before);
});

test("2,000 hung jobs hold no timer each, and the sandbox answers as before", async () => {
  const sandbox = await sandboxForTest();
  const before = timers();
  for (let batch = 0; batch < 20; batch++) {
    await Promise.all(Array.from({ length: 100 }, () => sandbox.created("[sandbox:hang]")));
  }
  await until(
    "all run",
    async () => (await sandbox.stats()).byStatus["running"] === 2_000 || undefined,
  );
  expect(timers() - before).toBeLessThan(20);
  const started = performance.now();
  const id = await sandbox.created("[sandbox:badvideo]");
  await sandbox.reaches(id, "succeeded");
  expect(performance.now() - started).toBeLessThan(60_000);
});
