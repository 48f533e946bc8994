import { expect, test } from "vitest";
import { main, send, settings } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { nowhere } from "../src/upscale.ts";

const url = "https://example.com/a.png";

for (const [name, bad] of [
  ["a NUL", "a\u0000b"],
  ["half a character", "a\ud83d"],
  ["the other half", "\udc00b"],
] as const)
  for (const [path, param, body] of [
    ["jobs/createTask", "inputs.prompt", { model: "sd2", inputs: { prompt: bad } }],
    ["jobs/createTask", "model", { model: bad, inputs: {} }],
    ["jobs/createTask", "inputs", { model: "sd2", inputs: { prompt: "a", [bad]: 1 } }],
    [
      "jobs/createTask",
      "callBackUrl",
      { model: "sd2", inputs: { prompt: "a" }, callBackUrl: url + bad },
    ],
    [
      "jobs/quote",
      "inputs.urls[1]",
      { model: "sd2", inputs: { prompt: "a", urls: [url, url + bad] } },
    ],
    ["upscale/create", "source.url", { source: { ...nowhere, url: nowhere.url + bad } }],
    ["assets/upload", "name", { url, type: "IMAGE", name: bad }],
    ["assets/upload", "url", { url: url + bad, type: "IMAGE" }],
    ["assets/uploads", "name", { type: "IMAGE", size: 5, name: bad }],
    ["assets/uploads/complete", "uploadId", { uploadId: bad }],
    ["webhooks/again", "deliveryId", { deliveryId: bad }],
    ["webhooks/test", "url", { url: url + bad }],
  ] as const)
    test(`§7 ${path} refuses ${name} in ${param} with a 400 that names it`, async () => {
      expectInvalid(await main.post(`/api/v1/${path}`, body), param);
    });

for (const [name, bad] of [
  ["a NUL", "a%00b"],
  ["half a character", "%ED%A0%BD"],
  ["bytes that are no UTF-8", "%FF"],
] as const)
  for (const [path, param] of [
    ["jobs/queryTask", "taskId"],
    ["upscale/query", "taskId"],
    ["assets/status", "assetId"],
    ["assets/list", "cursor"],
    ["assets/uploads", "uploadId"],
    ["webhooks/deliveries", "cursor"],
    ["webhooks/delivery", "deliveryId"],
    ["events", "after"],
    ["account/ledger", "cursor"],
  ] as const)
    test(`§7 ${path} refuses ${name} in the query with a 400 that names ${param}`, async () => {
      expectInvalid(await main.get(`/api/v1/${path}?${param}=${bad}`), param);
    });

test("§7 a body that is not UTF-8 is a 400", async () => {
  const body = Buffer.from('{"model":"sd2","inputs":{"prompt":"caf\u00e9"}}', "latin1");
  const answer = await send("/api/v1/jobs/quote", {
    method: "POST",
    headers: { authorization: `Bearer ${settings.keys.main}`, "content-type": "application/json" },
    body,
  });
  expectRefusal(answer, { status: 400, code: "invalid_json", param: "body" });
});

for (const [path, body] of [
  ["assets/uploads", { type: "IMAGE", size: 5, name: null, sha256: null }],
  ["webhooks/secret/rotate", { overlapHours: null }],
  [
    "webhooks/again",
    {
      deliveryId: null,
      from: "2020-01-01T00:00:00Z",
      to: "2020-01-02T00:00:00Z",
      outcome: null,
    },
  ],
] as const)
  test(`§7 an optional member of ${path} may be null, which is like leaving it out`, async () => {
    const answer = await main.post(`/api/v1/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
  });
