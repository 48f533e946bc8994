import fc from "fast-check";
import { expect, test } from "vitest";
import { accountNamed } from "../../test/harness/named-ids.ts";
import { NoPermitFree } from "../errors.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { createSemaphore, type Semaphore } from "./semaphore.ts";

const rest = () => new Promise(setImmediate);

/** Work that continues until it is ended. */
function hold(semaphore: Semaphore, name: string, bytes = 0, signal?: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const state = { isRunning: false, isOver: false };
  const turn = withoutUndefined({ owner: accountNamed(name), bytes, signal });
  const done = semaphore
    .use(turn, () => {
      state.isRunning = true;
      return promise;
    })
    .catch(() => {})
    .finally(() => {
      state.isRunning = false;
      state.isOver = true;
    });
  return { state, done, end: resolve, fail: () => reject(new Error("no")) };
}

test("the work of one account starts in the order in which it came", async () => {
  const semaphore = createSemaphore({ permitsMax: 3 });
  const order: number[] = [];
  const work = (n: number) => async () => {
    order.push(n);
    await rest();
  };
  const turns = Array.from({ length: 20 }, (_, n) =>
    semaphore.use({ owner: accountNamed("a") }, work(n)),
  );
  await Promise.all(turns);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test("one account never holds the last place: another one's work starts at once", async () => {
  const semaphore = createSemaphore({ permitsMax: 4 });
  const hanging = Array.from({ length: 40 }, () => hold(semaphore, "noisy"));
  await rest();
  expect(hanging.filter(({ state }) => state.isRunning)).toHaveLength(3);
  expect(await semaphore.use({ owner: accountNamed("quiet") }, async () => "done")).toBe("done");
});

test("accounts take turns: who has waited with one thing does not wait for another's forty", async () => {
  const semaphore = createSemaphore({ permitsMax: 1 });
  const first = hold(semaphore, "noisy");
  const order: string[] = [];
  const note = (name: string) =>
    semaphore.use({ owner: accountNamed(name) }, async () => void order.push(name));
  const all = [...Array.from({ length: 4 }, () => note("noisy")), note("b"), note("c"), note("b")];
  first.end();
  await Promise.all(all);
  expect(order).toEqual(["noisy", "b", "c", "noisy", "b", "noisy", "noisy"]);
});

test("bytes are bounded like places, and work larger than all of them runs alone", async () => {
  const semaphore = createSemaphore({ permitsMax: 10, bytesMax: 100 });
  const small = hold(semaphore, "a", 60);
  const second = hold(semaphore, "b", 60);
  const huge = hold(semaphore, "c", 500);
  await rest();
  expect([small, second, huge].map(({ state }) => state.isRunning)).toEqual([true, false, false]);
  small.end();
  await small.done;
  await rest();
  expect([second, huge].map(({ state }) => state.isRunning)).toEqual([true, false]);
  second.end();
  await second.done;
  await rest();
  expect(huge.state.isRunning).toBe(true);
  const beside = hold(semaphore, "d", 1);
  await rest();
  expect(beside.state.isRunning).toBe(false);
  huge.end();
  await huge.done;
  await rest();
  expect(beside.state.isRunning).toBe(true);
});

test("large work that waits lets small work pass, but not for ever", async () => {
  const semaphore = createSemaphore({ permitsMax: 2, bytesMax: 100 });
  let current = hold(semaphore, "small 0", 50);
  const large = hold(semaphore, "large", 80);
  let passed = 0;
  while (!large.state.isRunning && passed < 100) {
    const next = hold(semaphore, `small ${++passed}`, 50);
    current.end();
    await current.done;
    await rest();
    if (!next.state.isRunning) break; // it waits for the large one now
    current = next;
  }
  expect(passed).toBeGreaterThan(1);
  expect(passed).toBeLessThan(10);
  expect(large.state.isRunning).toBe(true);
});

test("who gives up waiting leaves the line, and those behind it move up", async () => {
  const semaphore = createSemaphore({ permitsMax: 2, bytesMax: 100 });
  const running = hold(semaphore, "a", 60);
  const leaving = new AbortController();
  const refused = semaphore.use(
    { owner: accountNamed("b"), bytes: 90, signal: leaving.signal },
    async () => {},
  );
  const behind = hold(semaphore, "b", 40);
  await rest();
  expect(behind.state.isRunning).toBe(false);
  leaving.abort();
  await expect(refused).rejects.toThrow(NoPermitFree);
  await rest();
  expect(behind.state.isRunning).toBe(true);
  running.end();
  behind.end();
  const late = semaphore.use(
    { owner: accountNamed("c"), signal: AbortSignal.abort() },
    async () => {},
  );
  await expect(late).rejects.toThrow(NoPermitFree);
});

test("work that fails gives its place back", async () => {
  const semaphore = createSemaphore({ permitsMax: 1 });
  const failing = () => Promise.reject(new Error("no"));
  await expect(semaphore.use({ owner: accountNamed("a") }, failing)).rejects.toThrow("no");
  expect(await semaphore.use({ owner: accountNamed("a") }, async () => "yes")).toBe("yes");
});

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("come" as const),
      account: fc.constantFrom("a", "b", "c", "d"),
      bytes: fc.integer({ min: 0, max: 150 }),
    }),
    fc.record({ kind: fc.constantFrom("end", "fail", "abort" as const), which: fc.nat() }),
  ),
  { maxLength: 80 },
);

test("whatever comes, ends, fails or gives up: bounds hold, nobody starves, nothing leaks", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (happens, permitsMax) => {
      const bytesMax = 100;
      const semaphore = createSemaphore({ permitsMax, bytesMax });
      const all: (ReturnType<typeof hold> & { account: string; bytes: number; leave(): void })[] =
        [];
      const running = () => all.filter(({ state }) => state.isRunning);
      const check = () => {
        const bytes = running().reduce((sum, one) => sum + one.bytes, 0);
        expect(running().length).toBeLessThanOrEqual(permitsMax);
        expect(bytes <= bytesMax || running().length === 1).toBe(true);
        for (const account of ["a", "b", "c", "d"])
          expect(running().filter((one) => one.account === account).length).toBeLessThanOrEqual(
            Math.max(1, permitsMax - 1),
          );
        const waiting = all.filter(({ state }) => !state.isRunning && !state.isOver);
        expect(waiting.length === 0 || running().length > 0).toBe(true);
      };
      for (const step of happens) {
        if (step.kind === "come") {
          const leaving = new AbortController();
          const { account, bytes } = step;
          const held = hold(semaphore, account, bytes, leaving.signal);
          all.push({ ...held, account, bytes, leave: () => leaving.abort() });
          await rest();
        } else {
          const open = all.filter(({ state }) => !state.isOver);
          const one = open[step.which % Math.max(1, open.length)];
          if (step.kind === "abort") one?.leave();
          else if (one?.state.isRunning) {
            if (step.kind === "end") one.end();
            else one.fail();
          }
          await rest();
        }
        check();
      }
      // Whatever still waits gets its turn when those before it end.
      for (let rounds = 0; all.some(({ state }) => !state.isOver); rounds++) {
        expect(rounds).toBeLessThan(200);
        running()[0]?.end();
        await rest();
        check();
      }
      // Everything is free again: as many start at once as there are places, and all bytes are there.
      const after = Array.from({ length: permitsMax }, (_, n) => hold(semaphore, `after ${n}`));
      await rest();
      expect(after.every(({ state }) => state.isRunning)).toBe(true);
      for (const one of after) one.end();
      await rest();
      const whole = hold(semaphore, "after", bytesMax);
      await rest();
      expect(whole.state.isRunning).toBe(true);
      whole.end();
    }),
    { numRuns: 300 },
  );
});

test("the spare places are for accounts that have none", async () => {
  const semaphore = createSemaphore({ permitsMax: 4, permitsPerOwnerMax: 4, sparePermits: 2 });
  const hanging = ["a", "a", "a", "b", "b", "c"].map((name) => hold(semaphore, name));
  await rest();
  const running = hanging.map(({ state }) => state.isRunning);
  expect(running).toEqual([true, true, false, true, false, true]);
});

test("what is first goes before all who wait, and takes a spare place besides its own", async () => {
  const firstOwner = accountNamed("first");
  const limits = { permitsMax: 3, permitsPerOwnerMax: 3, sparePermits: 1, firstOwner };
  const semaphore = createSemaphore(limits);
  const [ended, ...others] = ["a", "b", "c", "d"].map((name) => hold(semaphore, name));
  const first = [hold(semaphore, "first"), hold(semaphore, "first")];
  await rest();
  ended?.end();
  others[0]?.end();
  await rest();
  expect([...first, ...others].map(({ state }) => state.isRunning)).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});

test("a permit is released once, however often release is called", async () => {
  const semaphore = createSemaphore({ permitsMax: 1 });
  const giveBack = await semaphore.take({ owner: accountNamed("a") });
  const next = hold(semaphore, "b");
  const last = hold(semaphore, "c");
  giveBack();
  giveBack();
  await rest();
  expect([next.state.isRunning, last.state.isRunning]).toEqual([true, false]);
});

test("without a bound in all, owners are bounded each by themselves", async () => {
  const semaphore = createSemaphore({ permitsPerOwnerMax: 1 });
  const names = Array.from({ length: 100 }, (_, n) => `${n % 50}`);
  const work = names.map((name) => hold(semaphore, name));
  await rest();
  expect(work.map(({ state }) => state.isRunning)).toEqual(names.map((_, n) => n < 50));
  work[7]?.end();
  await rest();
  expect(work[57]?.state.isRunning).toBe(true);
});

const refuse = (why: string) => new Error(`refused: ${why}`);

test("who would wait behind as many of the same owner as may wait is refused at once, and no other owner", async () => {
  const limits = { permitsMax: 1, waitingPerOwnerMax: 1, refuse };
  const semaphore = createSemaphore(limits);
  const running = hold(semaphore, "a");
  const next = hold(semaphore, "a");
  await expect(semaphore.take({ owner: accountNamed("a") })).rejects.toThrow("refused: full");
  const other = hold(semaphore, "b");
  const longer = { owner: accountNamed("a"), waitingPerOwnerMax: 2 };
  const last = semaphore.use(longer, async () => "done");
  for (const { end, done } of [running, next, other]) {
    end();
    await done;
  }
  await expect(last).resolves.toBe("done");
});

test("when as many wait as may in all, who comes next is refused at once", async () => {
  const semaphore = createSemaphore({ permitsMax: 1, waitingMax: 2, refuse });
  const work = ["a", "b", "c"].map((name) => hold(semaphore, name));
  await expect(semaphore.take({ owner: "d" })).rejects.toThrow("refused: full");
  work[0]?.end();
  await work[0]?.done;
  const late = hold(semaphore, "d");
  for (const { end, done } of [...work, late]) {
    end();
    await done;
  }
  expect(late.state.isOver).toBe(true);
});

test("who waits too long is refused, and leaves room in the line", async () => {
  const semaphore = createSemaphore({
    permitsMax: 1,
    waitingPerOwnerMax: 1,
    waitMsMax: 1,
    refuse,
  });
  const release = await semaphore.take({ owner: "a" });
  await expect(semaphore.take({ owner: "a" })).rejects.toThrow("refused: slow");
  await expect(semaphore.take({ owner: "a" })).rejects.toThrow("refused: slow");
  release();
  await expect(semaphore.use({ owner: "a" }, async () => "done")).resolves.toBe("done");
});
