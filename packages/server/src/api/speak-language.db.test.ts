import { afterAll, beforeAll, expect, test } from "vitest";
import { insertAsset } from "../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { type ErrorCode, errorCatalogue, textOf } from "../errors.ts";
import { createTask } from "../generation/create-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { buildApi } from "./build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let account: Awaited<ReturnType<TestBed["openAccount"]>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
  account = await bed.openAccount();
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const chinese = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8" };

function get(url: string, headers: Record<string, string> = {}) {
  return api.inject({ url, headers: { authorization: `Bearer ${account.key}`, ...headers } });
}

function create(inputs: unknown, headers: Record<string, string> = {}) {
  return api.inject({
    method: "POST",
    url: "/api/v1/jobs/createTask",
    headers: { authorization: `Bearer ${account.key}`, ...headers },
    payload: { model: "image-pro-2", inputs },
  });
}

test("every code has a Chinese sentence that is not the English one", () => {
  for (const [code, { sentence, zh }] of Object.entries(errorCatalogue)) {
    expect(zh, code).toMatch(/[\u4e00-\u9fff].*。$/);
    expect(zh).not.toBe(sentence);
  }
});

test("a refusal is in the language asked for, and English otherwise", async () => {
  const url = "/api/v1/jobs/queryTask?taskId=none";
  const english = await get(url);
  expect(english.json()).toMatchObject({ code: "task_not_found", message: "Task not found." });
  expect(english.headers).toMatchObject({
    "content-language": "en",
    vary: expect.stringContaining("Accept-Language"),
  });
  const asked = await get(url, chinese);
  expect(asked.json()).toMatchObject({ code: "task_not_found", message: "找不到此任务。" });
  expect(asked.headers).toMatchObject({
    "content-language": "zh-CN",
    vary: expect.stringContaining("Accept-Language"),
  });
  const stranger = await api.inject({ url: "/api/v1/me", headers: chinese });
  expect(stranger.json()).toMatchObject({ message: errorCatalogue[codeOf(stranger)].zh });
});

function codeOf(answer: { json(): unknown }): ErrorCode {
  return (answer.json() as { code: ErrorCode }).code;
}

test("an invalid parameter is named, with its rule in Chinese", async () => {
  const answer = await create({ prompt: 7 }, chinese);
  expect(answer.json()).toMatchObject({ code: "invalid_parameters", param: "inputs.prompt" });
  expect((answer.json() as { message: string }).message).toMatch(
    /^inputs\.prompt：.*[\u4e00-\u9fff]/,
  );
});

test("what is wrong with a file, and where a task will differ from its request, is in the language asked for", async () => {
  const post = (url: string, payload: object) =>
    api.inject({
      method: "POST",
      url,
      payload,
      headers: { authorization: `Bearer ${account.key}`, ...chinese },
    });
  const urls = ["asset://asset-20260101000000-none"];
  const refused = await create({ prompt: "A hill.", urls }, chinese);
  expect(refused.json()).toMatchObject({ message: "inputs.urls[0]：没有此素材" });
  const quoted = await post("/api/v1/jobs/quote", {
    model: "happyhorse",
    inputs: { prompt: "x".repeat(6_000) },
  });
  expect(quoted.json()).toMatchObject({
    notes: [{ message: expect.stringMatching(/^提示词在第/) }],
  });
});

test("the facts of a refusal are in its Chinese sentence too", async () => {
  await bed.database.sql("update accounts set credits = 0 where id = $1", [account.id]);
  const { message } = (await create({ prompt: "A hill." }, chinese)).json() as { message: string };
  expect(message).toMatch(/^此任务需要 \d+ 积分，但只有 0 积分可用。$/);
});

test("why a task failed is in the language asked for: read, listed and as a stream", async () => {
  await bed.database.sql("update accounts set credits = 100000 where id = $1", [account.id]);
  const body = { model: "image-pro-2", inputs: { prompt: "A hill." } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "output_blocked" });
  const { sentence, zh } = errorCatalogue.output_blocked;
  const query = `/api/v1/jobs/queryTask?taskId=${taskId}`;
  expect((await get(query)).json()).toMatchObject({ errorCode: "output_blocked", error: sentence });
  const asked = await get(query, chinese);
  expect(asked.json()).toMatchObject({ errorCode: "output_blocked", error: zh });
  expect(asked.headers["content-language"]).toBe("zh-CN");
  expect((await get("/api/v1/jobs/list", chinese)).json()).toMatchObject({
    items: [{ error: zh }],
  });
  const stream = await get(query, { ...chinese, accept: "text/event-stream" });
  expect(stream.body).toContain(zh);
  const { events } = (await get("/api/v1/events", chinese)).json() as { events: object[] };
  expect(events).toMatchObject([{ data: { error: sentence } }]); // as it was signed and sent
});

test("why an asset failed is in the language asked for", async () => {
  const upstreamAssetId = "asset-20260101000000-words";
  await insertAsset(bed.database, { accountId: account.id, upstreamAssetId, status: "FAILED" });
  const [asset] = await bed.database.sql(
    "update assets set fail_reason = $2, fail_code = 'refused' where upstream_asset_id = $1 returning id",
    [upstreamAssetId, "The review did not pass. Shows a minor."],
  );
  const url = `/api/v1/assets/status?assetId=${asset?.["id"]}`;
  expect((await get(url)).json()).toMatchObject({
    failReason: "The review did not pass. Shows a minor.",
  });
  expect((await get(url, chinese)).json()).toMatchObject({
    failReason: "审核未通过。出现未成年人。",
  });
});

test("a sentence with a detail keeps it after the Chinese one", () => {
  expect(textOf("vendor_refused", "The vendor rejected the request: 7 images.").zh).toBe(
    "供应商拒绝了此请求。（The vendor rejected the request: 7 images.）",
  );
});
