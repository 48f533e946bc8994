import { expect, test } from "vitest";
import { createAdmission } from "./admission.ts";

const limits = {
  shallowMax: 4,
  burstMax: 32,
  burstMs: 250,
  standingMax: 8,
  newcomerMax: 12,
  windowMs: 1_000,
};

/** A queue whose length and clock the test sets. */
function openQueue() {
  const queue = { waiting: 0, now: 0 };
  const admission = createAdmission(
    limits,
    () => queue.waiting,
    () => queue.now,
  );
  let strangers = 0;
  return Object.assign(queue, {
    isAdmitted: admission.isAdmitted,
    /** Asks for an account that has never asked before. */
    isStrangerAdmitted: () => admission.isAdmitted(`stranger ${strangers++}`),
    /** The queue stands for longer than a burst, and this account was admitted within the window. */
    standWith(accountId: string) {
      queue.waiting = limits.standingMax;
      queue.now += limits.burstMs + 1;
      admission.isAdmitted(accountId);
    },
  });
}

test("a burst is admitted whole, up to its bound", () => {
  const queue = openQueue();
  const answers = Array.from({ length: limits.burstMax + 5 }, () => {
    const isIn = queue.isAdmitted("a");
    if (isIn) queue.waiting += 1;
    return isIn;
  });
  expect(answers.filter((isIn) => isIn)).toHaveLength(limits.burstMax);
  expect(answers.lastIndexOf(true)).toBe(limits.burstMax - 1);
});

test("a queue that stands longer than a burst is kept short", () => {
  const queue = openQueue();
  queue.standWith("a");
  expect(queue.isAdmitted("a")).toBe(false);
  queue.waiting = limits.standingMax - 1;
  expect(queue.isAdmitted("a")).toBe(true);
});

test("a queue that was shallow for a moment takes a burst again", () => {
  const queue = openQueue();
  queue.standWith("a");
  queue.waiting = limits.shallowMax - 1;
  queue.isAdmitted("a");
  queue.waiting = limits.burstMax - 1;
  expect(queue.isAdmitted("a")).toBe(true);
});

test("an account that has had no turn in this second joins a queue that is closed to the others", () => {
  const queue = openQueue();
  queue.standWith("often");
  expect(queue.isAdmitted("often")).toBe(false);
  expect(queue.isAdmitted("seldom")).toBe(true);
  expect(queue.isAdmitted("seldom")).toBe(false);
  queue.now += limits.windowMs;
  expect(queue.isAdmitted("often")).toBe(true); // a new second
});

test("a refusal is no turn", () => {
  const queue = openQueue();
  queue.standWith("a");
  queue.waiting = limits.newcomerMax;
  expect(queue.isAdmitted("b")).toBe(false);
  queue.waiting -= 1;
  expect(queue.isAdmitted("b")).toBe(true);
});

test("many accounts that ask for the first time do not make a standing queue longer than their places", () => {
  const queue = openQueue();
  queue.standWith("a");
  let admitted = 0;
  for (let n = 0; n < 100; n += 1)
    if (queue.isStrangerAdmitted()) {
      admitted += 1;
      queue.waiting += 1;
    }
  expect(admitted).toBe(limits.newcomerMax - limits.standingMax);
});
