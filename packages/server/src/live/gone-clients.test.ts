import { expect, test } from "vitest";
import { subscriberOf } from "../../test/harness/subscriber-of.ts";
import { awaitChange } from "./await-change.ts";
import { findFirst } from "./stream-task.ts";

/** A client that leaves while its task is being read. */
function leaving() {
  const { subscription } = subscriberOf(1);
  const checked: unknown[] = [];
  const check = <State>(state: State | undefined): State => {
    checked.push(state);
    throw new Error("not found");
  };
  setImmediate(() => subscription.close());
  return { subscription, check, checked };
}

test("a poll whose client leaves while its task is read is refused nothing", async () => {
  const { subscription, check, checked } = leaving();
  const options = { ifNoneMatch: undefined, msMax: 60_000, check };
  expect(await awaitChange(subscription, options)).toBeNull();
  expect(checked).toEqual([]);
});

test("a stream whose client leaves while its task is read is refused nothing", async () => {
  const { subscription, check, checked } = leaving();
  expect(await findFirst(subscription, undefined, check)).toBeNull();
  expect(checked).toEqual([]);
});
