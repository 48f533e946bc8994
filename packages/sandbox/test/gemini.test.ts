import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { readRequest } from "../src/vendors/gemini/read-request.ts";
import { aspectRatios } from "../src/vendors/gemini/sizes.ts";
import { geminiImage, geminiKey, geminiParts, imagesForTest, pngSize } from "./image-support.ts";
import { fileServer } from "./media-support.ts";

function geminiError(code: number, status: string, details: unknown = expect.any(Array)) {
  return { status: code, body: { error: { code, status, message: expect.any(String), details } } };
}

const model = "gemini-3.1-flash-image";
const cheap = "[sandbox:badvideo]";
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
  "images of %s are %s at 1K, %s at 2K and %s at 4K",
  async (aspectRatio, ...sizes) => {
    const sandbox = await imagesForTest();
    const requests = ["1K", "2K", "4K"].map((imageSize) =>
      sandbox.draw("a fox", { imageConfig: { aspectRatio, imageSize } }),
    );
    expect((await Promise.all(requests)).map(geminiImage).map(pngSize)).toEqual(sizes);
  },
);

test("without a configuration an image is 1:1 at 1K, with some text before it", async () => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.draw("a fox");
  expect(pngSize(geminiImage(answer))).toBe("1024x1024");
  const [directives, image, ...more] = geminiParts(answer);
  expect(directives?.text).toEqual(expect.any(String));
  expect(image?.inlineData?.mimeType).toBe("image/png");
  expect(more).toEqual([]);
});

test("the answer has the vendor's form; IMAGE alone leaves out the text", async () => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.draw(`a fox ${cheap}`, { responseModalities: ["IMAGE"] });
  const inlineData = { mimeType: "image/png", data: expect.any(String) };
  expect(answer.body).toEqual({
    candidates: [
      { content: { parts: [{ inlineData }], role: "model" }, finishReason: "STOP", index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: 6,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 6 }],
      candidatesTokenCount: 1_120,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_120 }],
      totalTokenCount: 1_126,
    },
    modelVersion: model,
    responseId: expect.any(String),
  });
});

test("[sandbox:thought]: another image marked as a thought stands before the real one", async () => {
  const sandbox = await imagesForTest();
  const imageConfig = { aspectRatio: "16:9", imageSize: "2K" };
  const answer = await sandbox.draw("a fox [sandbox:thought]", { imageConfig });
  const images = geminiParts(answer).filter(({ inlineData }) => inlineData);
  expect(images.map(({ thought }) => thought)).toEqual([true, undefined]);
  const sizes = images.map(({ inlineData }) =>
    pngSize(Buffer.from(inlineData?.data ?? "", "base64")),
  );
  expect(sizes).toEqual(["1376x768", "2752x1536"]);
});

test("input images come inline or from the web, and change the image", async () => {
  const sandbox = await imagesForTest();
  const [red, blue] = [await makeImage("color=red"), await makeImage("color=blue", "libwebp")];
  const { url } = await fileServer({ "/red.png": red });
  const prompt = { text: "make it spring" };
  const fileUri = `${url}/red.png`;
  const requests = [
    withParts(prompt, inline(red), inline(blue, "image/webp")),
    withParts(prompt, { fileData: { fileUri, mimeType: "image/png" } }, inline(blue, "image/webp")),
    withParts(prompt, { fileData: { fileUri } }),
    withParts(prompt),
  ];
  const sums: string[] = [];
  for (const order of requests) {
    const answer = await sandbox.generateContent(order);
    expect(answer.status).toBe(200);
    sums.push(geminiImage(answer).toString("base64"));
  }
  expect(sums[0]).toBe(sums[1]);
  expect(new Set(sums).size).toBe(3);
});

test("a seed makes another image, the same seed the same", async () => {
  const sandbox = await imagesForTest();
  const [a, b, c] = await Promise.all([1, 2, 1].map((seed) => sandbox.draw("a fox", { seed })));
  expect(a && c && geminiImage(a).equals(geminiImage(c))).toBe(true);
  expect(a && b && geminiImage(a).equals(geminiImage(b))).toBe(false);
});

test("a missing key answers 403, a wrong one 400 with its reason, as at Google", async () => {
  const sandbox = await imagesForTest();
  const path = `/gemini/v1beta/models/${model}:generateContent`;
  const missing = await sandbox.post(path, withParts(text), {});
  expect(missing).toMatchObject(geminiError(403, "PERMISSION_DENIED"));
  const inQuery = await sandbox.post(`${path}?key=${geminiKey["x-goog-api-key"]}`, {}, {});
  expect(inQuery).toMatchObject(geminiError(403, "PERMISSION_DENIED"));
  const wrong = await sandbox.post(path, withParts(text), { "x-goog-api-key": "wrong" });
  const reason = [expect.objectContaining({ reason: "API_KEY_INVALID" })];
  expect(wrong).toMatchObject(geminiError(400, "INVALID_ARGUMENT", reason));
  expect((await sandbox.stats())["images"]).toMatchObject({ creates: 0 });
});

test("an unknown model, method or path answers 404", async () => {
  const sandbox = await imagesForTest();
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
  const sandbox = await imagesForTest();
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
  ["images without text", withParts(tiny), /contents/],
  ["an unknown field", { ...withParts(text), stream: true }, /Unknown name "stream"/],
  ["a quality", config({ quality: "high" }), /Unknown name "quality" at 'generation_config'/],
  ["an unknown ratio", image({ aspectRatio: "2:1" }), /generation_config\.image_config/],
  ["a ratio without a published size", image({ aspectRatio: "8:1" }), /image_config/],
  ["a size in lower case", image({ imageSize: "2k" }), /image_config\.image_size/],
  ["an output format", image({ outputMimeType: "image/jpeg" }), /Unknown name "outputMimeType"/],
  ["text alone", config({ responseModalities: ["TEXT"] }), /IMAGE is required/],
  ["two candidates", config({ candidateCount: 2 }), /candidate_count/],
  ["a video as input", withParts(text, inline(Buffer.of(1), "video/mp4")), /contents/],
  ["broken Base64", withParts(text, { inlineData: { ...tiny.inlineData, data: "?" } }), /contents/],
  ["fifteen images", withParts(text, ...Array.from({ length: 15 }, () => tiny)), /At most 14/],
])("a request with %s answers 400 and names it", async (_what, body, message) => {
  const sandbox = await imagesForTest();
  const answer = await sandbox.generateContent(body);
  expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  expect(answer).toMatchObject({ body: { error: { message: expect.stringMatching(message) } } });
  expect((await sandbox.stats())["images"]).toMatchObject({ creates: 1, accepted: 0 });
});

test.each<[string, object]>([
  ["the other model", { model: "gemini-3-pro-image" }],
  ["fourteen images", withParts(text, ...Array.from({ length: 14 }, () => tiny))],
  ["safety settings", { safetySettings: [{ category: "A", threshold: "BLOCK_NONE" }] }],
  ["a temperature", { generationConfig: { temperature: 1, topP: 0.9, topK: 40 } }],
])(
  "a request with %s is accepted",
  (_what, { model: other = model, ...fields }: { model?: string }) => {
    expect(() => readRequest(other, { ...withParts(text), ...fields })).not.toThrow();
  },
);

test("an image that cannot be read, is mislabelled, or too large inline answers 400", async () => {
  const sandbox = await imagesForTest();
  const red = await makeImage("color=red");
  for (const part of [
    inline(Buffer.from("no image")),
    inline(red.subarray(0, red.length >> 1)),
    inline(red, "image/jpeg"),
    inline(red, "image/heic"),
    inline(Buffer.concat([red, Buffer.alloc(7 * 1024 * 1024)])),
  ]) {
    const answer = await sandbox.generateContent(withParts(text, part));
    expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
  }
  expect((await sandbox.stats())["images"]).toMatchObject({ accepted: 0 });
});

test("an image that cannot be fetched answers 400, one of the Files API 403", async () => {
  const sandbox = await imagesForTest();
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
  const sandbox = await imagesForTest();
  const answer = await sandbox.generateContent(withParts({ text: "x".repeat(105_000_000) }));
  expect(answer).toMatchObject(geminiError(400, "INVALID_ARGUMENT"));
});
