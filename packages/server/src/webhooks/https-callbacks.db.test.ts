import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { newId } from "../ids.ts";
import { createUpscale } from "../upscale/create-upscale.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { takeDueDeliveries } from "./queries.ts";
import { readDelivery } from "./read-deliveries.ts";
import { attemptsUsual } from "./schedule.ts";
import { sendTest } from "./send-test.ts";

let bed: TestBed;
let lenient: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ REQUIRE_HTTPS_CALLBACKS: "true" });
  lenient = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await lenient[Symbol.asyncDispose]();
});

const hook = "http://93.184.215.14/hook";

/** Returns the fault of the address in each place that takes one; `null`: none. */
async function faultsOf({ ctx, openAccount }: TestBed, callBackUrl: string) {
  const account = await openAccount();
  const task = { model: "sd2", inputs: { prompt: "a fox" }, callBackUrl };
  const upscale = {
    source: { type: "url" as const, url: "https://93.184.215.14/a.mp4" },
    targetResolution: "4k" as const,
    callBackUrl,
  };
  const faults = await Promise.allSettled([
    createTask(ctx, account, task, null),
    createUpscale(ctx, account, upscale, null),
    sendTest(ctx, account, callBackUrl),
  ]);
  return faults.map((fault) => (fault.status === "rejected" ? fault.reason.message : null));
}

test("where the operator requires https, an http address is refused for tasks, upscales and test events", async () => {
  expect(await faultsOf(bed, hook)).toEqual([
    "callBackUrl: must start with https://",
    "callBackUrl: must start with https://",
    "url: must start with https://",
  ]);
  expect(await faultsOf(bed, hook.replace("http:", "https:"))).toEqual([null, null, null]);
});

test("where the operator does not, both are taken", async () => {
  expect(await faultsOf(lenient, hook)).toEqual([null, null, null]);
});

test("a callback that was accepted before https was required is not sent without it", async () => {
  const account = await bed.openAccount({ credits: 0 });
  const [deliveryId, host] = [newId(0), "93.184.215.14"];
  await bed.database.sql(
    "insert into deliveries (id, account_id, url, body) values ($1, $2, $3, '{}')",
    [deliveryId, account.id, hook],
  );
  await bed.database.sql(
    "insert into open_deliveries (delivery_id, account_id, host, next_attempt_at) values ($1, $2, $3, now())",
    [deliveryId, account.id, host],
  );
  const shares = [{ lane: { accountId: account.id, host }, rowsMax: 1 }];
  const [due] = await takeDueDeliveries(bed.ctx.db, shares, { attemptsUsual, leaseMs: 20_000 });
  if (due === undefined) throw new Error("nothing was due");
  await attemptDelivery(bed.ctx, due);
  const { attempts } = await readDelivery(bed.ctx, account, deliveryId);
  expect(attempts).toMatchObject([{ status: null, reason: "must start with https://" }]);
});
