import { expect, test } from "vitest";
import { readRequest } from "../src/vendors/ark/read-request.ts";
import { readSwitches } from "../src/vendors/ark/switches.ts";
import { cheap, clientOf, fastModel, model, sandboxForTest } from "./support.ts";

function arkError(status: number, code: string, param: string, type: string) {
  return {
    status,
    body: { error: { code, message: expect.stringMatching(/Request id: \w+$/), param, type } },
  };
}

const text = { type: "text", text: `a lighthouse ${cheap}` };
const image = (role?: string, url = "https://example.com/a.png") => ({
  type: "image_url",
  image_url: { url },
  ...(role && { role }),
});
const video = { type: "video_url", video_url: { url: "asset://asset-1" }, role: "reference_video" };
const audio = {
  type: "audio_url",
  audio_url: { url: "https://example.com/a.mp3" },
  role: "reference_audio",
};
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

test("a create answers with nothing but an id of the vendor's form, never the same twice", async () => {
  const sandbox = await sandboxForTest();
  const answers = await Promise.all(times(200, 0).map(() => sandbox.create(cheap)));
  const ids = answers.map(({ body }) => Object.entries(Object(body)));
  expect(ids).toEqual(times(200, [["id", expect.stringMatching(/^cgt-\d{14}-[a-z0-9]{5}$/)]]));
  expect(new Set(ids.map(([entry]) => entry?.[1])).size).toBe(200);
});

test("every call with a missing or wrong key answers 401 in Ark's format and makes no job", async () => {
  const sandbox = await sandboxForTest();
  const stranger = clientOf(sandbox.url, "wrong");
  const refused = arkError(401, "AuthenticationError", "", "Unauthorized");
  expect(await stranger.create("a cat")).toEqual(refused);
  expect(await stranger.list()).toEqual(refused);
  expect(await stranger.remove("cgt-20260101000000-abcde")).toEqual(refused);
  const path = "/api/v3/contents/generations/tasks/cgt-20260101000000-abcde";
  expect(await stranger.call("GET", path)).toEqual(refused);
  expect(await sandbox.call("GET", path, undefined, { authorization: "" })).toEqual(refused);
  expect((await sandbox.stats()).accepted).toBe(0);
});

test("an unknown task or path answers 404 in Ark's format", async () => {
  const sandbox = await sandboxForTest();
  const path = "/api/v3/contents/generations/tasks/cgt-20260101000000-abcde";
  expect(await sandbox.call("GET", path)).toEqual(
    arkError(404, "ResourceNotFound", "id", "NotFound"),
  );
  expect(await sandbox.call("DELETE", path)).toEqual(
    arkError(404, "ResourceNotFound", "id", "NotFound"),
  );
  const elsewhere = await sandbox.call("GET", "/api/v3/elsewhere");
  expect(elsewhere).toEqual(arkError(404, "ResourceNotFound", "", "NotFound"));
});

test("a body that is not JSON, or no object, answers 400", async () => {
  const sandbox = await sandboxForTest();
  for (const body of ["{", "[]", "null", '"text"', ""]) {
    expect(await sandbox.post(body), body).toEqual(
      arkError(400, "InvalidParameter", "body", "BadRequest"),
    );
  }
});

test.each<[string, object, string, string]>([
  ["no model", { model: undefined }, "MissingParameter", "model"],
  ["no content", { content: undefined }, "MissingParameter", "content"],
  ["empty content", { content: [] }, "MissingParameter", "content"],
  [
    "an empty prompt alone",
    { content: [{ type: "text", text: " " }] },
    "MissingParameter",
    "content.text",
  ],
  [
    "a text item without text",
    { content: [{ type: "text" }] },
    "MissingParameter",
    "content[0].text",
  ],
  [
    "an unknown item",
    { content: [text, { type: "smell" }] },
    "InvalidParameter",
    "content[1].type",
  ],
  ["an unknown role", { content: [image("hero")] }, "InvalidParameter", "content[0].role"],
  ["two images without roles", { content: [image(), image()] }, "MissingParameter", "content.role"],
  ["a last frame alone", { content: [image("last_frame")] }, "InvalidParameter", "content"],
  ["two first frames", { content: times(2, image("first_frame")) }, "InvalidParameter", "content"],
  [
    "frames beside references",
    { content: [image("first_frame"), image("reference_image")] },
    "InvalidParameter",
    "content",
  ],
  [
    "a frame beside a video",
    { content: [image("first_frame"), video] },
    "InvalidParameter",
    "content",
  ],
  [
    "ten references",
    { content: times(10, image("reference_image")) },
    "InvalidParameter",
    "content.image_url",
  ],
  ["four videos", { content: times(4, video) }, "InvalidParameter", "content.video_url"],
  [
    "four audios",
    { content: [video, ...times(4, audio)] },
    "InvalidParameter",
    "content.audio_url",
  ],
  ["audio beside text alone", { content: [text, audio] }, "InvalidParameter", "content"],
  [
    "an empty image URL",
    { content: [image("first_frame", " ")] },
    "InvalidImageURL.EmptyURL",
    "image_url",
  ],
  [
    "an odd image URL",
    { content: [image("first_frame", "ftp://a/b")] },
    "InvalidImageURL.InvalidFormat",
    "image_url",
  ],
  ["duration 3", { duration: 3 }, "InvalidParameter", "duration"],
  ["duration 16", { duration: 16 }, "InvalidParameter", "duration"],
  ["duration 4.5", { duration: 4.5 }, "InvalidParameter", "duration"],
  ["duration as text", { duration: "5" }, "InvalidParameter", "duration"],
  ["an unknown ratio", { ratio: "2:1" }, "InvalidParameter", "ratio"],
  ["an unknown resolution", { resolution: "2k" }, "InvalidParameter", "resolution"],
  [
    "1080p of the fast model",
    { model: fastModel, resolution: "1080p" },
    "InvalidParameter",
    "resolution",
  ],
  ["generate_audio as text", { generate_audio: "yes" }, "InvalidParameter", "generate_audio"],
  ["a seed too large", { seed: 2_147_483_648 }, "InvalidParameter", "seed"],
  ["watermark as a number", { watermark: 1 }, "InvalidParameter", "watermark"],
  [
    "a callback that is no web address",
    { callback_url: "file:///etc/passwd" },
    "InvalidParameter",
    "callback_url",
  ],
  [
    "expiry too early",
    { execution_expires_after: 3_599 },
    "InvalidParameter",
    "execution_expires_after",
  ],
  [
    "expiry too late",
    { execution_expires_after: 259_201 },
    "InvalidParameter",
    "execution_expires_after",
  ],
  [
    "a long safety identifier",
    { safety_identifier: "x".repeat(65) },
    "InvalidParameter",
    "safety_identifier",
  ],
  ["priority 10", { priority: 10 }, "InvalidParameter", "priority"],
  [
    "the flex tier",
    { service_tier: "flex" },
    "InvalidParameter.UnsupportedParameter",
    "service_tier",
  ],
])("a create with %s answers 400 and names the parameter", async (_what, fields, code, param) => {
  const sandbox = await sandboxForTest();
  const answer = await sandbox.post({ model, content: [text], ...fields });
  expect(answer).toEqual(arkError(400, code, param, "BadRequest"));
  expect((await sandbox.stats()).accepted).toBe(0);
});

test("an unknown model answers 404", async () => {
  const sandbox = await sandboxForTest();
  const answer = await sandbox.post({ model: "constructor", content: [text] });
  expect(answer).toEqual(arkError(404, "InvalidEndpointOrModel.NotFound", "model", "NotFound"));
});

test.each<[string, object]>([
  ["only a prompt", {}],
  [
    "every known field",
    { ratio: "21:9", resolution: "4k", duration: 15, seed: 0, watermark: true, priority: 9 },
  ],
  ["the fast model at 480p", { model: fastModel, resolution: "480p" }],
  ["the other region's model", { model: "dreamina-seedance-2-0-260128" }],
  ["an unknown field", { camera_fixed: true, hello: [1, 2, 3] }],
  ["one image without a role and no prompt", { content: [image()] }],
  ["first and last frame", { content: [text, image("first_frame"), image("last_frame")] }],
  [
    "nine images, three videos, three audios",
    {
      content: [
        text,
        ...times(9, image("reference_image")),
        ...times(3, video),
        ...times(3, audio),
      ],
    },
  ],
  ["an image in the body", { content: [text, image("first_frame", "data:image/png;base64,AAAA")] }],
])("a create with %s is accepted", (_what, fields) => {
  expect(() => readRequest({ model, content: [text], ...fields })).not.toThrow();
});

test("what a create leaves open gets Ark's defaults, and a length of -1 is the sandbox's choice", () => {
  const plain = readRequest({ model, content: [text] });
  expect(plain).toMatchObject({
    resolution: "720p",
    ratio: "16:9",
    durationSeconds: 5,
    generateAudio: true,
    expiresAfterSeconds: 172_800,
    priority: 0,
  });
  expect(readRequest({ model, content: [text], duration: -1 }).durationSeconds).toBe(5);
});

test("without a seed the same prompt draws the same one, another prompt another", () => {
  const seedOf = (prompt: string) =>
    readRequest({ model, content: [{ type: "text", text: prompt }] }).seed;
  expect(seedOf("a fox")).toBe(seedOf("a fox"));
  expect(seedOf("a fox")).not.toBe(seedOf("a wolf"));
});

test("switches at the end of a prompt override the fields of the request", async () => {
  const sandbox = await sandboxForTest();
  const prompt = "a fox [sandbox:hang] --rs 1080p --dur 15 --rt 9:16 --seed 11 --wm true";
  const id = await sandbox.created(prompt, {
    resolution: "480p",
    duration: 4,
    ratio: "1:1",
    seed: 7,
  });
  const expected = { resolution: "1080p", duration: 15, ratio: "9:16", seed: 11 };
  expect(await sandbox.get(id)).toMatchObject(expected);
});

test("switches are read under their long names, and the directives may follow them", () => {
  const prompt = "a fox --duration 12 --resolution 480p --ratio 3:4 [sandbox:hang]";
  const request = readRequest({ model, content: [{ type: "text", text: prompt }] });
  expect(request).toMatchObject({ durationSeconds: 12, resolution: "480p", ratio: "3:4" });
  expect(request.drawnPrompt).toBe("a fox [sandbox:hang]");
});

test.each([
  ["in the middle of a prompt", "a fox --dur 15 jumps"],
  ["broken up by a space", "a fox - -dur 15"],
  ["with a space after the dashes", "a fox -- dur 15"],
  ["without a value", "a fox --dur"],
])("a switch %s is no switch", (_where, prompt) => {
  const request = readRequest({ model, content: [{ type: "text", text: prompt }], duration: 4 });
  expect(request).toMatchObject({ durationSeconds: 4, drawnPrompt: prompt });
});

test("a bad length or resolution in a switch is refused, other bad switches are dropped", () => {
  const request = (prompt: string, extra = {}) =>
    readRequest({ model, content: [{ type: "text", text: prompt }], ...extra });
  expect(() => request("a fox --dur 99")).toThrow(/duration/);
  expect(() => request("a fox --rs 2k")).toThrow(/resolution/);
  expect(() => request("a fox --rs 1080p", { model: fastModel })).toThrow(/resolution/);
  expect(request("a fox --rt 5:1 --seed x --smell rose", { ratio: "1:1", seed: 3 })).toMatchObject({
    ratio: "1:1",
    seed: 3,
  });
});

test("reading switches takes no longer than the prompt is long", () => {
  const started = performance.now();
  readSwitches(`${" ".repeat(500_000)}x`);
  readSwitches("--a b ".repeat(100_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
