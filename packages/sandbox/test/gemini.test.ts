import { expect, test } from "vitest";
import { readOrder } from "../src/gemini/read-order.ts";
import { aspectRatios } from "../src/gemini/sizes.ts";
import { neutralOutcomes } from "../src/script.ts";
import { fileServer, makePicture } from "./media-support.ts";
import {
  geminiKey,
  geminiParts,
  geminiPicture,
  picturesForTest,
  pngSize,
} from "./picture-support.ts";

function geminiError(code: number, status: string, details: unknown = expect.any(Array)) {
  return { status: code, body: { error: { code, status, message: expect.any(String), details } } };
}

const model = "gemini-3.1-flash-image";
const cheap = "[sandbox:badfilm]";
const withParts = (...parts: object[]) => ({ contents: [{ role: "user", parts }] });
const text = { text: `a fox ${cheap}` };
const inline = (bytes: Buffer, mimeType = "image/png") => ({
  inlineData: { mimeType, data: bytes.toString("base64") },
});

/** The vendor's table, as it is published. */
const table: [ratio: string, ...sizes: string[]][] = [
  ["1:1", "1024x1024", "2048x2048", "4096x4096"],
  ["2:3", "848x1264", "1696x2528", "3392x5056"],
  ["3:2", "1264x848", "2528x1696", "5056x3392"],
  ["3:4", "896x1200", "1792x2400", "3584x4800"],
  ["4:3", "1200x896", "2400x1792", "4800x3584"],
  ["4:5", "928x1152", "1856x2304", "3712x4608"],
  ["5:4", "1152x928", "2304x1856", "4608x3712"],
  ["9:16", "768x1376", "1536x2752", "3072x5504"],
  ["16:9", "1376x768", "2752x1536", "5504x3072"],
  ["21:9", "1584x672", "3168x1344", "6336x2688"],
];

test("the table has every ratio", () => {
  expect(table.map(([ratio]) => ratio)).toEqual(aspectRatios);
});

test.each(table)(
  "pictures of %s are %s at 1K, %s at 2K and %s at 4K",
  async (aspectRatio, ...sizes) => {
    const sandbox = await picturesForTest();
    const orders = ["1K", "2K", "4K"].map((imageSize) =>
      sandbox.draw("a fox", { imageConfig: { aspectRatio, imageSize } }),
    );
    expect((await Promise.all(orders)).map(geminiPicture).map(pngSize)).toEqual(sizes);
  },
);

test("without a configuration a picture is 1:1 at 1K, with some words before it", async () => {
  const sandbox = await picturesForTest();
  const answer = await sandbox.draw("a fox");
  expect(pngSize(geminiPicture(answer))).toBe("1024x1024");
  const [words, picture, ...more] = geminiParts(answer);
  expect(words?.text).toEqual(expect.any(String));
  expect(picture?.inlineData?.mimeType).toBe("image/png");
  expect(more).toEqual([]);
});

test("the answer has the vendor's form; IMAGE alone leaves out the words", async () => {
  const sandbox = await picturesForTest();
  const answer = await sandbox.draw(`a fox ${cheap}`, { responseModalities: ["IMAGE"] });
  const inlineData = { mimeType: "image/png", data: expect.any(String) };
  expect(answer.body).toEqual({
    candidates: [
      { content: { parts: [{ inlineData }], role: "model" }, finishReason: "STOP", index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: 6,
      candidatesTokenCount: 1_120,
      totalTokenCount: 1_126,
    },
    modelVersion: model,
    responseId: expect.any(String),
  });
});

test("[sandbox:thought]: another picture marked as a thought stands before the real one", async () => {
  const sandbox = await picturesForTest();
  const imageConfig = { aspectRatio: "16:9", imageSize: "2K" };
  const answer = await sandbox.draw("a fox [sandbox:thought]", { imageConfig });
  const pictures = geminiParts(answer).filter(({ inlineData }) => inlineData);
  expect(pictures.map(({ thought }) => thought)).toEqual([true, undefined]);
  const sizes = pictures.map(({ inlineData }) =>
    pngSize(Buffer.from(inlineData?.data ?? "", "base64")),
  );
  expect(sizes).toEqual(["1376x768", "2752x1536"]);
});

test("input pictures come inline or from the web, and change the picture", async () => {
  const sandbox = await picturesForTest();
  const [red, blue] = [await makePicture("color=red"), await makePicture("color=blue", "libwebp")];
  const { url } = await fileServer({ "/red.png": red });
  const prompt = { text: "make it spring" };
  const fileUri = `${url}/red.png`;
  const orders = [
    withParts(prompt, inline(red), inline(blue, "image/webp")),
    withParts(prompt, { fileData: { fileUri, mimeType: "image/png" } }, inline(blue, "image/webp")),
    withParts(prompt, { fileData: { fileUri } }),
    withParts(prompt),
  ];
  const sums: string[] = [];
  for (const order of orders) {
    const answer = await sandbox.generateContent(order);
    expect(answer.status).toBe(200);
    sums.push(geminiPicture(answer).toString("base64"));
  }
  expect(sums[0]).toBe(sums[1]);
  expect(new Set(sums).size).toBe(3);
});

test("a seed makes another picture, the same seed the same", async () => {
  const sandbox = await picturesForTest();
  const [a, b, c] = await Promise.all([1, 2, 1].map((seed) => sandbox.draw("a fox", { seed })));
  expect(a && c && geminiPicture(a).equals(geminiPicture(c))).toBe(true);
  expect(a && b && geminiPicture(a).equals(geminiPicture(b))).toBe(false);
});

test("a missing key answers 403, a wrong one 400 with its reason, as at Google", async () => {
  const sandbox = await picturesForTest();
  const path = `/gemini/v1beta/models/${model}:generateContent`;
  const missing = await sandbox.post(path, withParts(text), {});
  expect(missing).toMatchObject(geminiError(403, "PERMISSION_DENIED"));
  const inQuery = await sandbox.post(`${path}?key=${geminiKey["x-goog-api-key"]}`, {}, {});
  expect(inQuery).toMatchObject(geminiError(403, "PERMISSION_DENIED"));
  const wrong = await sandbox.post(path, withParts(text), { "x-goog-api-key": "wrong" });
  const reason = [expect.objectContaining({ reason: "API_KEY_INVALID" })];
  expect(wrong).toMatchObject(geminiError(400, "INVALID_ARGUMENT", reason));
  expect((await sandbox.stats())["pictures"]).toMatchObject({ creates: 0 });
});

test("an unknown model, method or path answers 404", async () => {
  const sandbox = await picturesForTest();
  for (const unknown of ["gemini-3-pro-image-preview", "gemini-2.5-flash-image", "constructor"]) {
    const answer = await sandbox.generateContent(withParts(text), unknown);
    expect(answer).toMatchObject(geminiError(404, "NOT_FOUND"));
  }
  for (const path of [`models/${model}:countTokens`, `models/${model}`, "files"]) {
    const answer = await sandbox.post(`/gemini/v1beta/${path}`, {}, geminiKey);
    expect(answer, path).toMatchObject(geminiError(404, "NOT_FOUND"));
  }
});

test("a body that is no JSON object answers 400", async () => {
  const sandbox = await picturesForTest();
  for (const body of ["{", "[]", "null", '"text"']) {
    const answer = await sandbox.generateContent(body);
    expect(answer, body).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  }
});

const config = (generationConfig: object) => ({ ...withParts(text), generationConfig });
const image = (imageConfig: object) => config({ imageConfig });
const tiny = { inlineData: { mimeType: "image/png", data: "AAAA" } };

test.each<[string, object, RegExp]>([
  ["no contents", {}, /'contents'/],
  ["no parts", { contents: [{ parts: [] }] }, /contents\[0\]\.parts/],
  ["pictures without words", withParts(tiny), /contents/],
  ["an unknown field", { ...withParts(text), stream: true }, /Unknown name "stream"/],
  ["a quality", config({ quality: "high" }), /Unknown name "quality" at 'generation_config'/],
  ["an unknown ratio", image({ aspectRatio: "2:1" }), /generation_config\.image_config/],
  ["a ratio without a published size", image({ aspectRatio: "8:1" }), /image_config/],
  ["a size in lower case", image({ imageSize: "2k" }), /image_config\.image_size/],
  ["an output format", image({ outputMimeType: "image/jpeg" }), /Unknown name "outputMimeType"/],
  ["words alone", config({ responseModalities: ["TEXT"] }), /IMAGE is required/],
  ["two candidates", config({ candidateCount: 2 }), /candidate_count/],
  ["a film as input", withParts(text, inline(Buffer.of(1), "video/mp4")), /contents/],
  ["broken Base64", withParts(text, { inlineData: { ...tiny.inlineData, data: "?" } }), /contents/],
  ["fifteen pictures", withParts(text, ...Array.from({ length: 15 }, () => tiny)), /At most 14/],
])("an order with %s answers 400 and names it", async (_what, body, message) => {
  const sandbox = await picturesForTest();
  const answer = await sandbox.generateContent(body);
  expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  expect(answer).toMatchObject({ body: { error: { message: expect.stringMatching(message) } } });
  expect((await sandbox.stats())["pictures"]).toMatchObject({ creates: 1, accepted: 0 });
});

test.each<[string, object]>([
  ["the other model", { model: "gemini-3-pro-image" }],
  ["fourteen pictures", withParts(text, ...Array.from({ length: 14 }, () => tiny))],
  ["safety settings", { safetySettings: [{ category: "A", threshold: "BLOCK_NONE" }] }],
  ["a temperature", { generationConfig: { temperature: 1, topP: 0.9, topK: 40 } }],
])(
  "an order with %s is accepted",
  (_what, { model: other = model, ...fields }: { model?: string }) => {
    expect(() => readOrder(other, { ...withParts(text), ...fields })).not.toThrow();
  },
);

test("a picture that cannot be read, is mislabelled, or too large inline answers 400", async () => {
  const sandbox = await picturesForTest();
  const red = await makePicture("color=red");
  for (const part of [
    inline(Buffer.from("no picture")),
    inline(red.subarray(0, red.length >> 1)),
    inline(red, "image/jpeg"),
    inline(red, "image/heic"),
    inline(Buffer.concat([red, Buffer.alloc(7 * 1024 * 1024)])),
  ]) {
    const answer = await sandbox.generateContent(withParts(text, part));
    expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  }
  expect((await sandbox.stats())["pictures"]).toMatchObject({ accepted: 0 });
});

test("a picture that cannot be fetched answers 400, one of the Files API 403", async () => {
  const sandbox = await picturesForTest();
  const { url } = await fileServer({});
  const gone = withParts(text, { fileData: { fileUri: `${url}/gone.png` } });
  expect(await sandbox.generateContent(gone)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^Cannot fetch content/) } },
  });
  for (const fileUri of ["files/abc", "file:///etc/passwd", "gs://bucket/a.png", "asset://1"]) {
    const answer = await sandbox.generateContent(withParts(text, { fileData: { fileUri } }));
    expect(answer, fileUri).toMatchObject(geminiError(403, "PERMISSION_DENIED"));
  }
});

test("a body beyond 100 MB is refused as Google does", async () => {
  const sandbox = await picturesForTest();
  const answer = await sandbox.generateContent(withParts({ text: "x".repeat(105_000_000) }));
  expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
});

test.each(["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"])(
  "refuse=%s blocks the prompt with HTTP 200 and no candidate",
  async (blockReason) => {
    const sandbox = await picturesForTest();
    const answer = await sandbox.draw(`a fox [sandbox:refuse=${blockReason}]`);
    expect(answer).toMatchObject({ status: 200, body: { promptFeedback: { blockReason } } });
    expect(answer.body).not.toHaveProperty("candidates");
    expect(sandbox.creates()).toMatchObject([{ accepted: false, answer: 200, code: blockReason }]);
  },
);

test.each([
  ...["IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "SAFETY", "PROHIBITED_CONTENT", "SPII"],
  ...["BLOCKLIST", "IMAGE_RECITATION", "RECITATION"],
  ...["NO_IMAGE", "IMAGE_OTHER", "OTHER", "MAX_TOKENS"],
])("fail=%s finishes with HTTP 200 and nothing in the candidate", async (finishReason) => {
  const sandbox = await picturesForTest();
  const answer = await sandbox.draw(`a fox [sandbox:fail=${finishReason}]`);
  expect(answer).toMatchObject({
    status: 200,
    body: { candidates: [{ content: {}, finishReason, finishMessage: expect.any(String) }] },
  });
  expect(answer.body).not.toHaveProperty("promptFeedback");
  expect(sandbox.creates()).toMatchObject([{ accepted: true, answer: 200, code: finishReason }]);
});

test("fail=STOP finishes well, with words and no picture", async () => {
  const sandbox = await picturesForTest();
  const answer = await sandbox.draw("a fox [sandbox:fail=STOP]");
  expect(answer).toMatchObject({ status: 200, body: { candidates: [{ finishReason: "STOP" }] } });
  expect(geminiParts(answer)).toEqual([{ text: expect.any(String) }]);
});

test.each([
  ["INVALID_ARGUMENT", 400],
  ["FAILED_PRECONDITION", 400],
  ["PERMISSION_DENIED", 403],
  ["NOT_FOUND", 404],
  ["RESOURCE_EXHAUSTED", 429],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["DEADLINE_EXCEEDED", 504],
])("refuse=%s answers %i, and so does fail", async (status, code) => {
  const sandbox = await picturesForTest();
  const expected = geminiError(code, status);
  expect(await sandbox.draw(`a fox [sandbox:refuse=${status}]`)).toMatchObject(expected);
  expect(await sandbox.draw(`a fox [sandbox:fail=${status}]`)).toMatchObject(expected);
  expect(sandbox.creates()).toMatchObject([
    { accepted: false, answer: code, code: status },
    { accepted: true, answer: code, code: status },
  ]);
});

test("throttled says when to come back, in the details", async () => {
  const sandbox = await picturesForTest();
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.500s" };
  expect(await sandbox.draw("[sandbox:throttle]")).toMatchObject(
    geminiError(429, "RESOURCE_EXHAUSTED", expect.arrayContaining([retry])),
  );
});

test("every neutral outcome has an answer, and a code of another vendor has none", async () => {
  const sandbox = await picturesForTest();
  const said: unknown[] = [];
  for (const outcome of neutralOutcomes) {
    await sandbox.draw(`[sandbox:fail=${outcome}]`);
    said.push(sandbox.creates().at(-1)?.["code"]);
  }
  expect(said).toEqual([
    ...["PROHIBITED_CONTENT", "IMAGE_SAFETY", "IMAGE_RECITATION", "IMAGE_SAFETY"],
    ...["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ...["IMAGE_OTHER", "FAILED_PRECONDITION"],
  ]);
  for (const word of ["refuse=QuotaExceeded", "refuse=NO_IMAGE", "fail=moderation_blocked"]) {
    const answer = await sandbox.draw(`[sandbox:${word}]`);
    expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  }
});
