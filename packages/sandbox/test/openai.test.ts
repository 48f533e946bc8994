import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { formatOf } from "../src/kit/image-format.ts";
import { readGeneration } from "../src/vendors/openai/read-request.ts";
import {
  editForm,
  imagesForTest,
  openaiImages,
  openaiKey,
  pngBlob,
  pngSize,
} from "./image-support.ts";
import { fileServer } from "./media-support.ts";

function openaiError(status: number, type: string, code: string | null, param: string | null) {
  return { status, body: { error: { message: expect.any(String), type, param, code } } };
}

const invalid = (code: string, param: string | null) =>
  openaiError(400, "invalid_request_error", code, param);
const model = "gpt-image-2";
const cheap = "[sandbox:badvideo]";
const timeout = 120_000;

test.each([
  ["1k", "1024x1024 1280x720 720x1280 1152x864 864x1152"],
  ["2k", "2048x2048 2048x1152 1152x2048 2048x1536 1536x2048"],
  ["4k", "2880x2880 3840x2160 2160x3840 3264x2448 2448x3264"],
])("images of %s have the very size that was asked for: %s", { timeout }, async (_name, list) => {
  const sandbox = await imagesForTest();
  const sizes = list.split(" ");
  const answers = await Promise.all(sizes.map((size) => sandbox.generate("a fox", { size })));
  expect(answers).toMatchObject(sizes.map((size) => ({ status: 200, body: { size } })));
  expect(answers.flatMap(openaiImages).map(pngSize)).toEqual(sizes);
});

test.each([
  ["a side that is no multiple of 16", "1000x1000", /divisible by 16/],
  ["a side beyond 3840", "3856x1296", /at most 3840/],
  ["more than 3:1", "2304x752", /aspect ratio/],
  ["less than 1:3", "752x2304", /aspect ratio/],
  ["too few pixels", "1024x576", /At least 655360/],
  ["too many pixels", "2896x2880", /At most 8294400/],
  ["Gemini's 4k", "4096x4096", /at most 3840/],
  ["no size", "large", /WIDTHxHEIGHT/],
])("%s is refused: %s", async (_why, size, message) => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.generate("a fox", { size });
  expect(answer).toMatchObject(invalid("invalid_value", "size"));
  expect(answer).toMatchObject({ body: { error: { message: expect.stringMatching(message) } } });
});

test.each(["1024x640", "3840x2160", "2160x3840", "2880x2880", "1536x512", "512x1536", "auto"])(
  "the size %s on the edge of the rules is accepted",
  (size) => {
    expect(() => readGeneration({ model, prompt: "a fox", size })).not.toThrow();
  },
);

test.each(["png", "jpeg", "webp"])("output_format %s gives such an image", async (format) => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.generate("a fox", { output_format: format });
  expect(answer).toMatchObject({ status: 200, body: { output_format: format } });
  expect(openaiImages(answer).map(formatOf)).toEqual([format]);
});

test("the answer says what was made and what it cost, in the vendor's format", async () => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.generate(`a fox ${cheap}`, { quality: "high", size: "1024x1024" });
  expect(answer.headers.get("x-request-id")).toMatch(/^req_\w+$/);
  expect(answer.body).toEqual({
    created: expect.any(Number),
    data: [{ b64_json: expect.any(String) }],
    background: "opaque",
    output_format: "png",
    quality: "high",
    size: "1024x1024",
    usage: {
      input_tokens: 6,
      input_tokens_details: { text_tokens: 6, image_tokens: 0 },
      output_tokens: 4_160,
      total_tokens: 4_166,
    },
  });
});

test("n images of one request differ from each other", async () => {
  const sandbox = await imagesForTest();
  const [a, b, ...more] = openaiImages(await sandbox.generate("a fox", { n: 2 }));
  expect(more).toEqual([]);
  expect(a && b && a.equals(b)).toBe(false);
});

test("a missing or wrong key answers 401 and accepts nothing", async () => {
  const sandbox = await imagesForTest();
  for (const headers of [{}, { authorization: "Bearer wrong" }]) {
    const answer = await sandbox.post("/openai/v1/images/generations", { model }, headers);
    expect(answer).toMatchObject(
      openaiError(401, "invalid_request_error", "invalid_api_key", null),
    );
  }
  expect((await sandbox.stats())["images"]).toMatchObject({ creates: 0 });
});

test("an unknown path answers 404, an unreadable body 400", async () => {
  const sandbox = await imagesForTest();
  const elsewhere = await sandbox.post("/openai/v1/images/variations", {}, openaiKey);
  expect(elsewhere).toMatchObject(openaiError(404, "invalid_request_error", null, null));
  for (const body of ["{", "[]", "null", '"text"']) {
    const answer = await sandbox.post("/openai/v1/images/generations", body, openaiKey);
    expect(answer, body).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error", param: null } },
    });
  }
  const form = { ...openaiKey, "content-type": "multipart/form-data; boundary=x" };
  const broken = await fetch(`${sandbox.url}/openai/v1/images/edits`, {
    method: "POST",
    headers: form,
    body: "--y\r\n",
  });
  expect(broken.status).toBe(400);
});

test.each<[string, object, string, string]>([
  ["no model", { model: undefined }, "missing_required_parameter", "model"],
  ["a model of the past", { model: "gpt-image-1" }, "invalid_value", "model"],
  ["no prompt", { prompt: undefined }, "missing_required_parameter", "prompt"],
  ["an empty prompt", { prompt: "" }, "empty_string", "prompt"],
  ["32,001 characters", { prompt: "x".repeat(32_001) }, "string_above_max_length", "prompt"],
  ["n 0", { n: 0 }, "integer_below_min_value", "n"],
  ["n 11", { n: 11 }, "integer_above_max_value", "n"],
  ["n as text", { n: "1" }, "invalid_type", "n"],
  ["quality hd", { quality: "hd" }, "invalid_value", "quality"],
  ["output_format gif", { output_format: "gif" }, "invalid_value", "output_format"],
  ["compression of a PNG", { output_compression: 50 }, "invalid_value", "output_compression"],
  ["a transparent background", { background: "transparent" }, "invalid_value", "background"],
  ["moderation off", { moderation: "off" }, "invalid_value", "moderation"],
  ["stream", { stream: true }, "invalid_value", "stream"],
  ["response_format", { response_format: "b64_json" }, "unknown_parameter", "response_format"],
  ["input_fidelity", { input_fidelity: "high" }, "unknown_parameter", "input_fidelity"],
  ["style", { style: "vivid" }, "unknown_parameter", "style"],
  ["images for a generation", { images: [] }, "unknown_parameter", "images"],
])("a generation with %s answers 400 and names it", async (_what, fields, code, param) => {
  const sandbox = await imagesForTest();
  expect(await sandbox.generate("a fox", fields)).toMatchObject(invalid(code, param));
  expect((await sandbox.stats())["images"]).toMatchObject({ creates: 1, accepted: 0 });
});

test.each<[string, object]>([
  ["only a prompt", {}],
  ["the snapshot", { model: "gpt-image-2-2026-04-21" }],
  ["32,000 characters", { prompt: "x".repeat(32_000) }],
  [
    "every parameter",
    {
      n: 1,
      size: "2048x1152",
      quality: "medium",
      output_format: "jpeg",
      user: "someone",
      output_compression: 90,
      moderation: "auto",
      background: "opaque",
      stream: false,
    },
  ],
])("a generation with %s is accepted", (_what, fields) => {
  expect(() => readGeneration({ model, prompt: "a fox", ...fields })).not.toThrow();
});

test("an edit by form shows its ground, another image for other inputs", async () => {
  const sandbox = await imagesForTest();
  const [red, blue] = [await makeImage("color=red"), await makeImage("color=blue", "mjpeg")];
  const parts = [pngBlob(red), pngBlob(blue, "image/jpeg")];
  const fields = { size: "1280x720", quality: "low", n: "1", output_format: "png", user: "one" };
  const answer = await sandbox.edit(editForm(fields, parts));
  expect(answer).toMatchObject({
    status: 200,
    body: { size: "1280x720", usage: { input_tokens_details: { image_tokens: 2_048 } } },
  });
  const [edited] = openaiImages(answer);
  expect(edited && pngSize(edited)).toBe("1280x720");
  const [turned] = openaiImages(await sandbox.edit(editForm(fields, parts.toReversed())));
  expect(edited && turned && edited.equals(turned)).toBe(false);
});

test("an edit by JSON takes web addresses and data, and is the same image", async () => {
  const sandbox = await imagesForTest();
  const red = await makeImage("color=red");
  const { url } = await fileServer({ "/red.png": red });
  const data = `data:image/png;base64,${red.toString("base64")}`;
  const bodies = [`${url}/red.png`, data].map((image_url) => ({
    model,
    prompt: "make it spring",
    moderation: "auto",
    images: [{ image_url }],
  }));
  const answers = await Promise.all([...bodies, editForm({}, [pngBlob(red)])].map(sandbox.edit));
  const sums = answers.map((answer) => openaiImages(answer)[0]?.toString("base64"));
  expect(new Set(sums).size).toBe(1);
});

test("images that are not sent as image[] are taken for a call to the oldest model", async () => {
  const sandbox = await imagesForTest();
  const red = await makeImage("color=red");
  for (const form of [editForm({}, [pngBlob(red)], "image"), editForm({}, [])]) {
    const answer = await sandbox.edit(form);
    expect(answer).toMatchObject(invalid("invalid_value", "model"));
    expect(answer).toMatchObject({
      body: { error: { message: expect.stringContaining("dall-e-2") } },
    });
  }
});

test("an edit checks its parts: type, file, number, and fields that a form does not have", async () => {
  const sandbox = await imagesForTest();
  const red = await makeImage("color=red");
  const octets = editForm({}, [pngBlob(red, "application/octet-stream")]);
  expect(await sandbox.edit(octets)).toMatchObject(invalid("unsupported_file_mimetype", "image"));
  const text = editForm({ "image[]": "these are no bytes" }, []);
  expect(await sandbox.edit(text)).toMatchObject(invalid("invalid_type", "image"));
  const many = editForm(
    {},
    Array.from({ length: 17 }, () => pngBlob(red)),
  );
  expect(await sandbox.edit(many)).toMatchObject(invalid("array_above_max_length", "image"));
  for (const field of ["moderation", "response_format", "mask", "input_fidelity"]) {
    const form = editForm({ [field]: "auto" }, [pngBlob(red)]);
    expect(await sandbox.edit(form)).toMatchObject(invalid("unknown_parameter", field));
  }
  const zero = editForm({ n: "0" }, [pngBlob(red)]);
  expect(await sandbox.edit(zero)).toMatchObject(invalid("integer_below_min_value", "n"));
});

test("sixteen images are accepted", async () => {
  const sandbox = await imagesForTest();
  const red = await makeImage("color=red:s=16x16");
  const form = editForm(
    {},
    Array.from({ length: 16 }, () => pngBlob(red)),
  );
  expect(await sandbox.edit(form)).toMatchObject({ status: 200 });
});

test.each<[string, object, string, string]>([
  ["no images", { images: undefined }, "missing_required_parameter", "images"],
  ["an empty list", { images: [] }, "empty_array", "images"],
  [
    "a file id",
    { images: [{ file_id: "file-1" }] },
    "missing_required_parameter",
    "images[0].image_url",
  ],
  [
    "a local file",
    { images: [{ image_url: "file:///etc/passwd" }] },
    "invalid_value",
    "images[0].image_url",
  ],
  [
    "an asset",
    { images: [{ image_url: "asset://asset-1" }] },
    "invalid_value",
    "images[0].image_url",
  ],
])("an edit by JSON with %s answers 400", async (_what, fields, code, param) => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.edit({ model, prompt: "a fox", ...fields });
  expect(answer).toMatchObject(invalid(code, param));
});

test("an image that cannot be read, or is not what its type says, answers 400", async () => {
  const sandbox = await imagesForTest();
  const unreadable = openaiError(400, "image_generation_user_error", "invalid_image_file", "image");
  const red = await makeImage("color=red");
  for (const blob of [
    pngBlob(Buffer.from("no image")),
    pngBlob(red.subarray(0, red.length >> 1)),
    pngBlob(red, "image/jpeg"),
  ]) {
    expect(await sandbox.edit(editForm({}, [blob]))).toMatchObject(unreadable);
  }
});

test("an image that cannot be fetched answers 400 and accepts nothing", async () => {
  const sandbox = await imagesForTest();
  const { url } = await fileServer({});
  const images = [{ image_url: `${url}/gone.png` }];
  const answer = await sandbox.edit({ model, prompt: "a fox", images });
  expect(answer).toMatchObject(invalid("invalid_image_url", "images"));
  expect((await sandbox.stats())["images"]).toMatchObject({ creates: 1, accepted: 0 });
});
