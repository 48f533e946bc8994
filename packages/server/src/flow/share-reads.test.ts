import { expect, test } from "vitest";
import { createShareReads } from "./share-reads.ts";

/** A value that changes, and reads of it that take as long as the test wants. */
function openSource() {
  const source = { value: 0, reads: 0, release: [] as (() => void)[] };
  const read = async () => {
    const seen = source.value;
    source.reads += 1;
    await new Promise<void>((resolve) => source.release.push(resolve));
    return seen;
  };
  return Object.assign(source, { read, end: () => source.release.shift()?.() });
}
const settle = () => new Promise(setImmediate);

test("a hundred who ask at once cost two reads, and nobody gets what was true before they asked", async () => {
  const [source, share] = [openSource(), createShareReads()];
  const first = share("a", source.read);
  source.value = 1;
  const others = Array.from({ length: 99 }, () => share("a", source.read));
  source.end();
  expect(await first).toBe(0);
  await settle();
  source.end();
  expect(await Promise.all(others)).toEqual(Array.from({ length: 99 }, () => 1));
  expect(source.reads).toBe(2);
});

test("who asks when nobody does reads at once, also after a read that failed", async () => {
  const [source, share] = [openSource(), createShareReads()];
  const fails = share("a", () => Promise.reject(new Error("away")));
  const next = share("a", source.read);
  await expect(fails).rejects.toThrow("away");
  await settle();
  source.end();
  expect(await next).toBe(0);
  await settle();
  const again = share("a", source.read);
  expect(source.reads).toBe(2);
  source.end();
  expect(await again).toBe(0);
});

test("different names do not wait for each other", async () => {
  const [a, b, share] = [openSource(), openSource(), createShareReads()];
  void share("a", a.read);
  const other = share("b", b.read);
  b.end();
  expect(await other).toBe(0);
  a.end();
});
