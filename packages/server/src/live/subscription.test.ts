import { expect, onTestFinished, test, vi } from "vitest";
import { taskNamed } from "../../test/harness/named-ids.ts";
import { subscriberOf } from "../../test/harness/subscriber-of.ts";
import { newId } from "../ids.ts";
import { createBatches } from "./batches.ts";
import type { TaskState } from "./task-state.ts";

function stateOf(version: string): TaskState {
  const task: TaskState["task"] = {
    id: newId(0),
    account_id: newId(0),
    key_id: null,
    kind: "generation",
    model: "sd2",
    request: null,
    status: "PENDING",
    credits: 30,
    output: null,
    error_code: null,
    error_message: null,
    created_at: new Date(0),
    completed_at: null,
  };
  return { task, view: {}, version };
}

test("what was read before the question was asked does not answer it", async () => {
  const subscriber = subscriberOf(2);
  const asked = subscriber.subscription.read();
  subscriber.deliver(stateOf("old"), 1);
  subscriber.deliver(stateOf("new"), 2);
  expect((await asked)?.version).toBe("new");
  expect(await subscriber.subscription.change("new", 1)).toBeNull();
});

test("of the changes that came while nobody asked the last one is kept", async () => {
  const subscriber = subscriberOf(1);
  subscriber.deliver(stateOf("a"), 1);
  subscriber.deliver(stateOf("b"), 2);
  expect((await subscriber.subscription.change("", 1_000))?.version).toBe("b");
});

test("an id that becomes due while it is being read is read again, and reads never overlap", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const passTime = () => vi.advanceTimersByTimeAsync(1_000);
  const seen: string[][] = [];
  const gates: (() => void)[] = [];
  const turns = createBatches<string, string>({
    everyMs: 1,
    pauseMs: 1,
    idsMax: 2,
    async read(ids) {
      seen.push(ids);
      await new Promise<void>((resolve) => gates.push(resolve));
      return new Map(ids.map((id) => [id, id]));
    },
    deliver: () => {},
    fail: () => {},
  });
  expect(turns.add(taskNamed("a"))).toBe(1);
  await passTime();
  expect(turns.add(taskNamed("a"))).toBe(2);
  turns.add(taskNamed("b"));
  turns.add(taskNamed("c"));
  turns.add(taskNamed("d"));
  turns.remove(taskNamed("c"));
  await passTime();
  expect(seen).toEqual([["a"]]);
  gates[0]?.();
  await passTime();
  expect(seen).toEqual([["a"], ["a", "b"]]);
  gates[1]?.();
  await passTime();
  expect(seen).toEqual([["a"], ["a", "b"], ["d"]]);
});
