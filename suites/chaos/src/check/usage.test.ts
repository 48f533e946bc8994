import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Histories, openHistories } from "./spoiled-history.ts";

let scratch: Scratch;
let histories: Histories;

beforeAll(async () => {
  scratch = await makeScratch("check-usage");
  histories = await openHistories(scratch.path);
});

afterAll(async () => {
  await histories?.[Symbol.asyncDispose]();
  await scratch?.remove();
});

test.each([
  [
    "an hour has a credit too many",
    "update usage_hours set credits = credits + 1 where status = 'COMPLETED'",
  ],
  ["a day lacks its failed tasks", "delete from usage_days where status = 'FAILED'"],
  [
    "a task is counted for another model",
    "update usage_hours set model = 'other' where status = 'FAILED'",
  ],
  [
    "a task is counted for another key",
    "update usage_days set key_id = gen_random_uuid() where status = 'FAILED'",
  ],
  [
    "a task is counted in another hour than its capture",
    "update usage_hours set start_id = id_floor(id_time(start_id) - interval '100 hours')",
  ],
  ["a second of video too many", "update usage_hours set video_ms = video_ms + 1000"],
])("I17: %s", async (_name, sql) => {
  expect(await histories.violatedAfter(({ db }) => db.query(sql))).toEqual(["I17"]);
});
