import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bed, openBed } from "./bed.ts";
import { batchTests } from "./cases/batches.ts";
import { countRequests } from "./cases/tasks.ts";

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

test.each([
  ["by stream", false],
  ["by long polling", true],
])("a minute of waiting %s takes at most five requests", async (_way, withoutStreams) => {
  expect(await countRequests(bed, 60, withoutStreams)).toBeLessThanOrEqual(5);
});

batchTests(() => bed, { requests: 200 });
