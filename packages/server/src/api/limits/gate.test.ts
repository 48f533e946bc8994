import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

const refuse = (why: string) => new Error(`refused: ${why}`);
const open = (limits: { atOnceMax: number; waitingMax: number; waitMsMax?: number }) =>
  createGate({ waitMsMax: 60_000, ...limits }, refuse);

test("no more than the limit run at once under one name; who waits comes in the order of arrival", async () => {
  const gate = open({ atOnceMax: 2, waitingMax: 10 });
  const first = await gate.enter("a");
  await gate.enter("a");
  const came: number[] = [];
  const third = gate.enter("a").then(() => came.push(3));
  const fourth = gate.enter("a").then(() => came.push(4));
  await new Promise(setImmediate);
  expect(came).toEqual([]);
  first();
  first(); // leaving twice frees one place
  await third;
  await new Promise(setImmediate);
  expect(came).toEqual([3]);
  void fourth;
});

test("one name's line holds up no other name", async () => {
  const gate = open({ atOnceMax: 1, waitingMax: 0 });
  await gate.enter("a");
  await expect(gate.enter("a")).rejects.toThrow("refused: full");
  await expect(gate.use("b", async () => "done")).resolves.toBe("done");
});

test("who waits too long is refused, and its place in the line is free again", async () => {
  const gate = open({ atOnceMax: 1, waitingMax: 1, waitMsMax: 1 });
  const leave = await gate.enter("a");
  await expect(gate.enter("a")).rejects.toThrow("refused: slow");
  await expect(gate.enter("a")).rejects.toThrow("refused: slow");
  leave();
  await expect(gate.use("a", async () => "done")).resolves.toBe("done");
});

test("work that fails leaves the gate", async () => {
  const gate = open({ atOnceMax: 1, waitingMax: 0 });
  await expect(gate.use("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(gate.use("a", async () => "done")).resolves.toBe("done");
});
