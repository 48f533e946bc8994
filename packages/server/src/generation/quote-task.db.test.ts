import { afterAll, beforeAll, expect, test } from "vitest";
import { insertAsset } from "../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

async function quote(key: string, payload: object) {
  const headers = { authorization: `Bearer ${key}` };
  return api.inject({ method: "POST", url: "/api/v1/jobs/quote", headers, payload });
}

test("a quote counts the stored length of every asset", async () => {
  const account = await bed.openAccount();
  const assetIds = ["asset-20260101-a0", "asset-20260101-a1"];
  for (const upstreamAssetId of assetIds)
    await insertAsset(bed.database, { accountId: account.id, upstreamAssetId, durationMs: 4_200 });
  const inputs = {
    prompt: "a fox",
    duration: "7s",
    videoInputMode: "reference",
    resolution: "1280x720",
    videoUrls: assetIds.map((id) => `asset://${id}`),
  };
  const quoted = await quote(account.key, { model: "sd2", inputs });
  expect(quoted.json()).toMatchObject({ credits: 4 * (7 + 5 + 5) });
});

test("a quote holds nothing and writes nothing, and needs neither credits nor room for a task", async () => {
  const account = await bed.openAccount({ credits: 0, openTasksMax: 0 });
  const counts = `select (select count(*) from tasks) as tasks, (select count(*) from transfers) as transfers,
    (select count(*) from entries) as entries, (select count(*) from idempotency_keys) as keys`;
  const before = await bed.database.sql(counts);
  const body = { model: "sd2", inputs: { prompt: "a fox" }, maxCredits: 1 };
  const quoted = await quote(account.key, body);
  expect([quoted.statusCode, quoted.json()]).toEqual([
    200,
    {
      credits: 30,
      priceVersion: "A@1",
      items: [
        {
          item: "output",
          description: "sd2 720p",
          unit: "second",
          quantity: 5,
          creditsPerUnit: 6,
          credits: 30,
        },
      ],
    },
  ]);
  expect(await bed.database.sql(counts)).toEqual(before);
});
