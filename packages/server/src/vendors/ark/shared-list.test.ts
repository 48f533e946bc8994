import { expect, test } from "vitest";
import { createSharedList } from "./shared-list.ts";

/** Returns pages of two descending numbers; a call is completed when the test says so. */
function listing() {
  const calls: { model: string; page: number; answer(jobs: number[] | "unavailable"): void }[] = [];
  const list = createSharedList<number>(
    (model, page) => new Promise((answer) => calls.push({ model, page, answer })),
    { pageSize: 2, pagesMax: 3, pageIntervalMs: 1, timeOf: (job) => job },
  );
  async function call(number: number) {
    await expect.poll(() => calls.length).toBeGreaterThanOrEqual(number);
    const found = calls[number - 1];
    if (found === undefined) throw new Error("no such call");
    return found;
  }
  return { list, calls, call };
}

test("pages are read back to the moment, and no further", async () => {
  const { list, calls, call } = listing();
  const listed = list("a", 7);
  (await call(1)).answer([9, 8]);
  (await call(2)).answer([7, 6]);
  expect(await listed).toEqual([9, 8, 7, 6]);
  expect(calls.map(({ page }) => page)).toEqual([1, 2]);
});

test("a page that is not full is the last", async () => {
  const { list, call } = listing();
  const listed = list("a", 0);
  (await call(1)).answer([9]);
  expect(await listed).toEqual([9]);
});

test("a list that does not reach the moment is none, and neither is half of one", async () => {
  const { list, call } = listing();
  const tooLong = list("a", 0);
  for (const number of [1, 2, 3]) (await call(number)).answer([9, 8]);
  expect(await tooLong).toBe("unavailable");
  const broken = list("a", 0);
  (await call(4)).answer([9, 8]);
  (await call(5)).answer("unavailable");
  expect(await broken).toBe("unavailable");
});

test("who asks while a list runs shares the next, which goes back as far as any of them needs", async () => {
  const { list, calls, call } = listing();
  const first = list("a", 9);
  const running = await call(1);
  const others = [list("a", 5), list("a", 3), list("a", 5)];
  const another = list("b", 0);
  running.answer([9]);
  expect(await first).toEqual([9]);
  (await call(2)).answer([6, 5]);
  (await call(3)).answer([4, 3]);
  (await call(4)).answer([2]);
  for (const other of others) expect(await other).toEqual([6, 5, 4, 3, 2]);
  (await call(5)).answer([1]);
  expect(await another).toEqual([1]);
  expect(calls.map(({ model }) => model)).toEqual(["a", "a", "a", "a", "b"]);
});
