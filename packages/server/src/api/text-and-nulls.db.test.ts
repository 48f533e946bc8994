import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { buildApi } from "./build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let key: string;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
  ({ key } = await bed.openAccount({ openTasksMax: 1_000, credits: 1_000_000 }));
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

async function call(
  method: "GET" | "POST" | "DELETE",
  path: string,
  payload?: object | Buffer | string,
  headers: Record<string, string> = {},
) {
  const answer = await api.inject(
    withoutUndefined({
      method,
      url: path.startsWith("/") ? path : `/api/v1/${path}`,
      headers: withoutUndefined({
        authorization: `Bearer ${key}`,
        "content-type": payload === undefined ? undefined : "application/json",
        ...headers,
      }),
      payload,
    }),
  );
  const body = answer.json();
  return { status: answer.statusCode, code: body.code, param: body.param, body };
}

const task = { model: "sd2", inputs: { prompt: "a fox" } };

describe.each(["\u0000", "a\ud83db", "\udc00"])("%j in a body", (bad) => {
  test.each([
    ["inputs.prompt", "jobs/createTask", { ...task, inputs: { prompt: bad } }],
    ["inputs.urls[1]", "jobs/createTask", { ...task, inputs: { prompt: "a", urls: ["a", bad] } }],
    ["callBackUrl", "jobs/createTask", { ...task, callBackUrl: `https://example.com/${bad}` }],
    ["inputs", "jobs/quote", { ...task, inputs: { prompt: "a", [bad]: 1 } }],
    ["body", "jobs/quote", { ...task, [bad]: { deep: 1 } }],
    ["body", "jobs/quote", { ...task, "": bad }],
    ["body", "jobs/quote", JSON.stringify(bad)],
    ["a.b[0][1].c", "jobs/quote", { a: { b: [[1, { c: bad }]] } }],
    ["name", "assets/upload", { url: "https://example.com/a.png", type: "IMAGE", name: bad }],
    ["url", "assets/upload", { url: `https://example.com/${bad}`, type: "IMAGE" }],
    ["uploadId", "assets/uploads/complete", { uploadId: bad }],
    ["source.url", "upscale/create", { source: { type: "url", url: bad }, targetResolution: "2k" }],
    ["deliveryId", "webhooks/again", { deliveryId: bad }],
    ["url", "webhooks/test", { url: `https://example.com/${bad}` }],
  ])("is a 400 that names %s, to %s", async (param, path, body) => {
    const answer = await call("POST", path, body);
    expect([answer.status, answer.code, answer.param]).toEqual([400, "invalid_parameters", param]);
  });
});

test.each([
  ["taskId", "jobs/queryTask?taskId=%00"],
  ["taskId", "jobs/queryTask?taskId=a%00b"],
  ["taskId", "jobs/queryTask?taskId=%ED%A0%80"], // a surrogate, written as UTF-8
  ["taskId", "jobs/queryTask?taskId=%FF"],
  ["assetId", "assets/status?assetId=%C3"],
  ["cursor", "webhooks/deliveries?limit=1&cursor=%00"],
  ["query", "assets/list?%00=1"],
  ["key", `/media/%00${"a".repeat(20)}`],
])("a %s that is no text in the address is a 400 that names it: %s", async (param, path) => {
  const answer = await call("GET", path);
  expect([answer.status, answer.code, answer.param]).toEqual([400, "invalid_parameters", param]);
});

test("an Idempotency-Key with a NUL is a 400 that names it", async () => {
  const answer = await call("POST", "jobs/createTask", task, { "idempotency-key": "a\u0000" });
  expect([answer.status, answer.param]).toEqual([400, "idempotency-key"]);
});

test("a body that is not UTF-8 is a 400, not other text than was sent", async () => {
  const text = JSON.stringify({ ...task, inputs: { prompt: "caf\u00e9" } });
  const answer = await call("POST", "jobs/createTask", Buffer.from(text, "latin1"));
  expect([answer.status, answer.code, answer.param]).toEqual([400, "invalid_json", "body"]);
  expect((await call("POST", "jobs/createTask", Buffer.from(text))).status).toBe(200);
});

test("a body nested as deeply as it is long is a 400", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect((await call("POST", "jobs/createTask", deep)).status).toBe(400);
});

describe("null is the same as leaving a member out", () => {
  const optional = {
    duration: null,
    resolution: null,
    outputResolution: null,
    upscaleResolution: null,
    seed: null,
    generateAudio: null,
    urls: null,
    videoUrls: null,
    audioUrls: null,
    videoInputMode: null,
  };
  test("in the inputs of a task, and for its callBackUrl and maxCredits", async () => {
    const body = { model: "sd2", inputs: { prompt: "a fox", ...optional } };
    const given = { ...body, callBackUrl: null, maxCredits: null };
    expect((await call("POST", "jobs/createTask", given)).status).toBe(200);
    const quoted = await call("POST", "jobs/quote", given);
    expect(quoted.body).toEqual((await call("POST", "jobs/quote", task)).body);
  });

  test("a seed of nothing is random, in a quote as well", async () => {
    const body = { model: "sd2", inputs: { prompt: "a fox", seed: "" } };
    for (const path of ["jobs/createTask", "jobs/quote"])
      expect((await call("POST", path, body)).status).toBe(200);
  });

  test("in every other body", async () => {
    const url = "https://example.com/a.mp4";
    const source = { type: "url", url, storageUrl: null };
    const bodies: [string, object][] = [
      ["upscale/create", { source, targetResolution: "4k", callBackUrl: null }],
      ["assets/upload", { url, type: "VIDEO", name: null }],
      ["assets/uploads", { type: "VIDEO", size: 5, name: null, sha256: null }],
      ["webhooks/secret/rotate", { overlapHours: null }],
      [
        "webhooks/again",
        {
          deliveryId: null,
          from: "2026-01-01T00:00:00Z",
          to: "2026-01-02T00:00:00Z",
          outcome: null,
        },
      ],
    ];
    for (const [path, body] of bodies) {
      const answer = await call("POST", path, body);
      expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()]);
    }
  });

  test("a required member that is null is missing, and an unknown member that is null is still unknown", async () => {
    const missing = await call("POST", "assets/upload", { url: null, type: "IMAGE" });
    expect([missing.status, missing.param]).toEqual([400, "url"]);
    const stranger = await call("POST", "assets/upload", { extra: null });
    expect([stranger.status, stranger.param]).toEqual([400, "extra"]);
    const inputs = await call("POST", "jobs/quote", {
      ...task,
      inputs: { prompt: "a", extra: null },
    });
    expect([inputs.status, inputs.param]).toEqual([400, "inputs.extra"]);
  });
});
