import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

test("never more run at once than there are slots, and all get their turn, in order", async () => {
  const slots = createSlots(3);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (n: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(n);
    await new Promise(setImmediate);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, (_, n) => slots.use(work(n))));
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test("work that fails gives its slot back", async () => {
  const slots = createSlots(1);
  const failing = () => Promise.reject(new Error("no"));
  await expect(slots.use(failing)).rejects.toThrow("no");
  expect(await slots.use(async () => "yes")).toBe("yes");
});
