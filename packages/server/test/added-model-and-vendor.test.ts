import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import sharp from "sharp";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import { buildApi } from "../src/api/build-api.ts";
import { renderParameters } from "../src/docs/render-parameters.ts";
import { renderPrices } from "../src/docs/render-prices.ts";
import { submitJob } from "../src/generation/submit/submit-job.ts";
import { models } from "../src/models/catalogue.ts";
import type { OpenContext } from "../src/open-context.ts";
import {
  openVendorAccounts,
  vendorAccountsSchemaOf,
} from "../src/routing/vendor-accounts-setting.ts";
import { completeTask } from "../src/tasks/complete-task.ts";
import { vendorKinds } from "../src/vendors/catalogue.ts";
import { easel } from "./fixtures/easel/easel.ts";
import { sketch1 } from "./fixtures/sketch-1.ts";
import { openTestBed, type TestBed } from "./harness/test-context.ts";

/** A sixth model and a fifth vendor: their files are in `fixtures/`, and nothing else knows them. */
const offered = [...models, sketch1];
const books = new Map([["A", { "sketch-1": { "1k": 2 } }]]);

const cleanUp = new AsyncDisposableStack();
let bed: TestBed;
let ctx: OpenContext;
let vendor: Receiver;
let api: Awaited<ReturnType<typeof buildApi>>;
let headers: { authorization: string };
beforeAll(async () => {
  bed = cleanUp.use(await openTestBed());
  vendor = cleanUp.use(await startReceiver());
  const accounts = vendorAccountsSchemaOf([...vendorKinds, easel]).parse([
    { name: "easel", kind: "easel", baseUrl: vendor.url, apiKey: "secret" },
  ]);
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     select book, 2, document || '{"sketch-1": {"1k": 2}}', now(), 'command', 'root'
     from price_versions where book = 'A' and version = 1`,
  );
  ctx = { ...bed.ctx, models: offered, vendors: openVendorAccounts(accounts) };
  api = await buildApi(ctx);
  cleanUp.defer(() => api.close());
  const { key } = await bed.openAccount({ credits: 100 });
  headers = { authorization: `Bearer ${key}` };
});
afterAll(() => cleanUp.disposeAsync());

function post(path: string, payload: object) {
  return api.inject({ method: "POST", url: `/api/v1/jobs/${path}`, headers, payload });
}

test("an added model is listed, described and documented", async () => {
  const listed = await api.inject({ url: "/api/v1/models", headers });
  expect(listed.json().models.at(-1)).toMatchObject({
    model: "sketch-1",
    kind: "image",
    prices: { images: [{ resolution: "1k", quality: null, creditsPerImage: 2 }] },
  });
  expect(JSON.stringify(api.swagger())).toContain("Sketch1TextToImage");
  expect(renderParameters(offered)).toContain("| sketch-1 | text-to-image | always |");
  expect(renderPrices(offered, books)).toContain("| `sketch-1` | 1k | - | 2 |");
});

test("a model that a price book does not have is not listed there, and not for sale", async () => {
  const { key } = await bed.openAccount({ credits: 100, priceBook: "B" });
  const onB = { authorization: `Bearer ${key}` };
  const { models: listed } = (await api.inject({ url: "/api/v1/models", headers: onB })).json();
  expect(listed).toHaveLength(models.length);
  for (const path of ["quote", "createTask"]) {
    const url = `/api/v1/jobs/${path}`;
    const payload = { model: "sketch-1", inputs: { prompt: "a kite" } };
    const refused = await api.inject({ method: "POST", url, headers: onB, payload });
    expect([refused.statusCode, refused.json().code]).toEqual([403, "model_not_in_price_book"]);
  }
});

test("an added model is planned, and refused by its own rules", async () => {
  const body = { model: "sketch-1", inputs: { prompt: "a kite", aspectRatio: "16:9" } };
  const refused = await post("createTask", body);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toMatchObject({ param: "inputs.aspectRatio" });
  const quoted = await post("quote", { model: "sketch-1", inputs: { prompt: "a kite" } });
  expect(quoted.json()).toMatchObject({ credits: 2 });
});

test("a task for an added model is submitted to the added vendor and completes", async () => {
  const grey = { width: 64, height: 32, channels: 3, background: "grey" } as const;
  const image = await sharp({ create: grey }).png().toBuffer();
  vendor.answer = () => ({ status: 200, body: { sketch: image.toString("base64") } });
  const inputs = { prompt: "a kite", aspectRatio: "2:1" };
  const { taskId } = (await post("createTask", { model: "sketch-1", inputs })).json();
  const submitted = await submitJob(ctx, taskId);
  assert(submitted.kind === "delivered");
  await completeTask(ctx, taskId, submitted.media);
  const query = { url: `/api/v1/jobs/queryTask?taskId=${taskId}`, headers };
  expect((await api.inject(query)).json()).toMatchObject({
    model: "sketch-1",
    status: "COMPLETED",
    creditsUsed: 2,
    output: [{ width: 64, height: 32 }],
  });
  const sent = vendor.received.map(({ path, body }) => ({ path, body: JSON.parse(body) }));
  expect(sent).toEqual([
    { path: "/sketches", body: { style: "graphite", text: "a kite", ratio: "2:1" } },
  ]);
});
