import assert from "node:assert";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../src/accounts/queries.ts";
import { ApiError } from "../../src/errors.ts";
import { createTask } from "../../src/generation/create-task.ts";
import { readState } from "../harness/account-state.ts";
import { insertAsset } from "../harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../harness/test-context.ts";
import { boundaries } from "./boundaries.ts";
import { type Boundary, formats, goodImage, inputsAt, type Sample } from "./boundary.ts";
import { type Count, counts, type Numbers } from "./counts.ts";

/** At create: what is known of assets decides, and a refusal leaves no trace. */
let bed: TestBed;
let assetCount = 0;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

async function linkTo({ id: accountId }: Caller, sample: Sample): Promise<string> {
  const kind = formats[sample.format];
  assert(kind !== null, "nobody has such an asset");
  const upstreamAssetId = `asset-20260101-${assetCount++}`;
  await insertAsset(bed.database, { accountId, upstreamAssetId, ...kind, ...sample });
  return `asset://${upstreamAssetId}`;
}

async function expectNothing(account: Caller): Promise<void> {
  const state = await readState(bed.database, account.id);
  expect(state).toMatchObject({ statuses: [], transfers: ["grant"], held: 0, used: 0 });
}

/** Expects a 400 that names the input and says the rule, and nothing held. */
async function expectRefused(
  account: Caller,
  body: { model: string; inputs: Record<string, unknown> },
  { param, message }: { param: string; message: string },
): Promise<void> {
  const refusal: unknown = await createTask(bed.ctx, account, body, null).catch((e: unknown) => e);
  assert(refusal instanceof ApiError, "was accepted");
  expect({ code: refusal.code, param: refusal.param }).toEqual({
    code: "invalid_parameters",
    param,
  });
  expect(refusal.message).toContain(message);
  await expectNothing(account);
}

const ofAssets = boundaries.filter(({ via }) => via.includes("asset"));
const nameOf = ({ model, mode, input, rule, message }: Boundary) =>
  [model, mode, input, `${rule}: an asset ${message}`] as const;

describe.each(ofAssets.map((row) => [...nameOf(row), row] as const))(
  "%s %s %s %s",
  (_model, _mode, _input, _rule, row) => {
    const { model } = row;

    test.each(row.taken)("taken: %o", async (sample) => {
      const account = await bed.openAccount();
      const links = [await linkTo(account, sample), await linkTo(account, goodImage)] as const;
      const { inputs } = inputsAt(row, ...links);
      await createTask(bed.ctx, account, { model, inputs }, null);
      const state = await readState(bed.database, account.id);
      expect(state).toMatchObject({ statuses: ["PENDING"], transfers: ["grant", "hold"] });
    });

    test.each(row.refused)("refused by the input's name, nothing held: %o", async (sample) => {
      const account = await bed.openAccount();
      const links = [await linkTo(account, sample), await linkTo(account, goodImage)] as const;
      const { inputs, param } = inputsAt(row, ...links);
      await expectRefused(account, { model, inputs }, { param, message: row.message });
    });
  },
);

const oneOf: Record<keyof Numbers, Sample> = {
  urls: goodImage,
  videoUrls: { format: "mp4", width: 1280, height: 720, durationMs: 5_000 },
  audioUrls: { format: "mp3", durationMs: 5_000 },
};

async function inputsOf(account: Caller, numbers: Numbers, { more }: Count) {
  const lists: Record<string, string[]> = {};
  for (const input of Object.keys(numbers) as (keyof Numbers)[]) {
    const link = await linkTo(account, oneOf[input]);
    lists[input] = Array<string>(numbers[input] ?? 0).fill(link);
  }
  return { prompt: "a fox", ...more, ...lists };
}

test.each(counts.map((row) => [row.model, row.mode, row.taken, row.refused, row] as const))(
  "%s %s takes %o files and not %o",
  async (model, mode, taken, refused, row) => {
    const account = await bed.openAccount();
    const tooMany = { model, inputs: await inputsOf(account, refused, row) };
    await expectRefused(account, tooMany, row);
    const body = { model, inputs: await inputsOf(account, taken, row) };
    const { taskId } = await createTask(bed.ctx, account, body, null);
    const tasks = await bed.database.sql("select request from tasks where id = $1", [taskId]);
    expect(tasks).toMatchObject([{ request: { model, mode } }]);
  },
);
