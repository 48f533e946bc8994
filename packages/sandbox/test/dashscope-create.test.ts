import { expect, test } from "vitest";
import { cutPrompt } from "../src/vendors/dashscope/cut-prompt.ts";
import { readRequest } from "../src/vendors/dashscope/read-request.ts";
import {
  asynchronous,
  createPath,
  dashScopeKey,
  dashscopeSandbox,
  t2v,
  tasksPath,
} from "./dashscope-support.ts";
import { cheap, clientOf } from "./support.ts";

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

function refusal(status: number, code: string, message: RegExp | string = /./) {
  return { status, body: { request_id: uuid, code, message: expect.stringMatching(message) } };
}

const image = (type: string, url = "https://example.com/a.png") => ({ type, url });
const body = (model: string, media?: object[], parameters: object = {}) => ({
  model,
  input: { prompt: "a horse", ...(media && { media }) },
  parameters,
});
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

test("a create answers with a request id and a pending task under a UUID", async () => {
  const sandbox = await dashscopeSandbox();
  expect(await sandbox.create(cheap)).toEqual({
    status: 200,
    body: { request_id: uuid, output: { task_id: uuid, task_status: "PENDING" } },
  });
});

test("without the header for asynchronous calls a create is refused as a synchronous one", async () => {
  const sandbox = await dashscopeSandbox();
  const refused = refusal(
    403,
    "AccessDenied",
    "current user api does not support synchronous calls",
  );
  for (const headers of [{}, { "x-dashscope-async": "disable" }]) {
    expect(await sandbox.post(body(t2v), headers)).toEqual(refused);
  }
  expect((await sandbox.stats()).accepted).toBe(0);
});

test("every call with a missing or wrong key answers 401 and makes no job", async () => {
  const sandbox = await dashscopeSandbox();
  const refused = refusal(401, "InvalidApiKey");
  for (const authorization of ["", "Bearer wrong", dashScopeKey]) {
    const headers = { ...asynchronous, authorization };
    expect(await sandbox.call("POST", createPath, body(t2v), headers)).toEqual(refused);
    expect(await sandbox.call("GET", tasksPath, undefined, headers)).toEqual(refused);
    expect(await sandbox.call("GET", `${tasksPath}/x`, undefined, headers)).toEqual(refused);
    expect(await sandbox.call("POST", `${tasksPath}/x/cancel`, undefined, headers)).toEqual(
      refused,
    );
  }
  expect((await sandbox.stats()).accepted).toBe(0);
});

test("Ark's key does not open DashScope, nor DashScope's Ark", async () => {
  const sandbox = await dashscopeSandbox({ arkKey: "another" });
  const stranger = clientOf(sandbox.url, "another");
  expect((await stranger.call("GET", tasksPath)).status).toBe(401);
  expect((await clientOf(sandbox.url, dashScopeKey).list()).status).toBe(401);
});

test("a body that is not JSON, or no object, and a path that does not exist, are refused", async () => {
  const sandbox = await dashscopeSandbox();
  for (const text of ["{", "[]", "null", ""]) {
    expect(await sandbox.post(text), text).toEqual(refusal(400, "InvalidParameter"));
  }
  const elsewhere = await sandbox.call("GET", "/dashscope/api/v1/elsewhere");
  expect(elsewhere).toEqual(refusal(404, "NotFound"));
});

const first = image("first_frame");
const reference = image("reference_image");
const i2v = "happyhorse-1.1-i2v";
const r2v = "happyhorse-1.1-r2v";

test.each<[string, unknown]>([
  ["no model", { input: { prompt: "a" } }],
  ["no input", { model: t2v }],
  ["no prompt", { model: t2v, input: {} }],
  ["a blank prompt", { model: t2v, input: { prompt: " " } }],
  ["a blank prompt beside references", { model: r2v, input: { prompt: "", media: [reference] } }],
  ["a resolution in small letters", body(t2v, undefined, { resolution: "720p" })],
  ["an unknown resolution", body(t2v, undefined, { resolution: "480P" })],
  ["an unknown ratio", body(t2v, undefined, { ratio: "2:1" })],
  ["a ratio of 1.1 in 1.0", body("happyhorse-1.0-t2v", undefined, { ratio: "21:9" })],
  ["a ratio beside a first frame", body(i2v, [first], { ratio: "16:9" })],
  ["2 seconds", body(t2v, undefined, { duration: 2 })],
  ["16 seconds", body(t2v, undefined, { duration: 16 })],
  ["a length in letters", body(t2v, undefined, { duration: "5" })],
  ["half a second", body(t2v, undefined, { duration: 5.5 })],
  ["a negative seed", body(t2v, undefined, { seed: -1 })],
  ["a seed that is too large", body(t2v, undefined, { seed: 2 ** 31 })],
  ["a watermark in letters", body(t2v, undefined, { watermark: "false" })],
  ["media for text-to-video", body(t2v, [first])],
  ["an empty list of media for text-to-video", body(t2v, [])],
  ["no media for image-to-video", body(i2v)],
  ["two first frames", body(i2v, [first, first])],
  ["a reference for image-to-video", body(i2v, [reference])],
  ["no media for reference-to-video", body(r2v, [])],
  ["ten references", body(r2v, times(10, reference))],
  ["a first frame for reference-to-video", body(r2v, [reference, first])],
  ["an asset", body(i2v, [image("first_frame", "asset://asset-1")])],
  ["a local file", body(i2v, [image("first_frame", "file:///etc/passwd")])],
  ["a data URI that is no image", body(i2v, [image("first_frame", "data:text/plain;base64,AA==")])],
])("a create with %s answers 400 InvalidParameter", async (_, wrong) => {
  const sandbox = await dashscopeSandbox();
  expect(await sandbox.post(wrong)).toEqual(refusal(400, "InvalidParameter"));
  expect((await sandbox.stats()).accepted).toBe(0);
});

test.each(["negative_prompt", "prompt_extend", "size", "audio", "audio_url"])(
  "%s, which other models know, is refused wherever it stands",
  async (name) => {
    const sandbox = await dashscopeSandbox();
    const refused = refusal(400, "InvalidParameter", `${name} is not supported`);
    expect(await sandbox.post(body(t2v, undefined, { [name]: "x" }))).toEqual(refused);
    const inInput = { model: t2v, input: { prompt: "a horse", [name]: "x" } };
    expect(await sandbox.post(inInput)).toEqual(refused);
  },
);

test.each(["happyhorse-1.2-t2v", "happyhorse-1.0-video-edit", "happyhorse-1.1", "wan2.7-t2v"])(
  "the model %s does not exist",
  async (model) => {
    const sandbox = await dashscopeSandbox();
    expect(await sandbox.post(body(model))).toEqual(refusal(404, "ModelNotExist"));
  },
);

test("what a create leaves open gets the vendor's defaults: 1080P, a watermark, 5 s, 16:9", () => {
  const read = (wanted: unknown) => readRequest(wanted, "request-1");
  expect(read({ model: t2v, input: { prompt: "a horse" } })).toMatchObject({
    mode: "t2v",
    resolution: "1080P",
    ratio: "16:9",
    durationSeconds: 5,
    watermark: true,
  });
  const bare = read({ model: i2v, input: { media: [first] } });
  expect(bare).toMatchObject({ mode: "i2v", prompt: "", ratio: undefined });
  expect(read(body(r2v, times(9, reference))).imageUrls).toHaveLength(9);
});

test.each(["16:9", "9:16", "1:1", "4:3", "3:4", "4:5", "5:4", "21:9", "9:21"])(
  "version 1.1 takes the ratio %s",
  (ratio) => {
    expect(readRequest(body(t2v, undefined, { ratio }), "request-1").ratio).toBe(ratio);
  },
);

test("a long prompt is silently cut: 5000 characters, of which a CJK one counts twice", async () => {
  expect(cutPrompt("a".repeat(5_000))).toHaveLength(5_000);
  expect(cutPrompt("a".repeat(5_001))).toHaveLength(5_000);
  expect(cutPrompt("馬".repeat(2_501))).toBe("馬".repeat(2_500));
  expect(cutPrompt(`a${"馬".repeat(2_500)}`)).toBe(`a${"馬".repeat(2_499)}`);
  expect(cutPrompt("🐎".repeat(5_001))).toBe("🐎".repeat(5_000));
  const sandbox = await dashscopeSandbox();
  const prompt = `${cheap} ${"x".repeat(6_000)}`;
  const id = await sandbox.created(prompt);
  const { output } = await sandbox.reaches(id, "SUCCEEDED");
  expect(output["orig_prompt"]).toBe(prompt.slice(0, 5_000));
});
