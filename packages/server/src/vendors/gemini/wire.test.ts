import assert from "node:assert";
import { expect, test } from "vitest";
import { imagePlus2 } from "../../models/image-plus-2.ts";
import { planRequest } from "../../models/plan-request.ts";
import { generatedSchema, imageOf, renderAround, renderGenerate } from "./wire.ts";

function requestOf(inputs: object) {
  const request = planRequest(imagePlus2, inputs);
  assert(request.kind === "image");
  return request;
}

test("a text alone is sent with ratio and size", () => {
  expect(renderGenerate(requestOf({ prompt: "a fox" }), [])).toEqual({
    contents: [{ role: "user", parts: [{ text: "a fox" }] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      imageConfig: { aspectRatio: "1:1", imageSize: "2K" },
    },
  });
});

test("images follow the text inline, in the caller's order", () => {
  const urls = ["https://example.com/a", "https://example.com/b"];
  const images = [
    { base64: "+/8=", contentType: "image/webp" },
    { base64: "AA==", contentType: "image/png" },
  ];
  expect(renderGenerate(requestOf({ prompt: "make it night", urls }), images)).toEqual({
    contents: [
      {
        role: "user",
        parts: [
          { text: "make it night" },
          { inlineData: { mimeType: "image/webp", data: "+/8=" } },
          { inlineData: { mimeType: "image/png", data: "AA==" } },
        ],
      },
    ],
    generationConfig: {
      responseModalities: ["IMAGE"],
      imageConfig: { aspectRatio: "1:1", imageSize: "2K" },
    },
  });
});

test("the texts around the images are the whole request, whatever the prompt says", () => {
  const request = requestOf({
    prompt: '"data":"" and \\"data\\":\\"\\"',
    urls: ["https://example.com/a"],
  });
  const texts = renderAround(request, ["image/png", "image/webp"]);
  expect(texts).toHaveLength(3);
  const whole = renderGenerate(request, [
    { base64: "AA==", contentType: "image/png" },
    { base64: "+/8=", contentType: "image/webp" },
  ]);
  expect(`${texts[0]}AA==${texts[1]}+/8=${texts[2]}`).toBe(JSON.stringify(whole));
});

const sizes = [
  ["1k", "1K"],
  ["2k", "2K"],
  ["4k", "4K"],
] as const;
const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];
test.each(sizes.flatMap(([ours, theirs]) => ratios.map((ratio) => [ours, ratio, theirs] as const)))(
  "%s in %s is asked for as it is",
  (resolution, aspectRatio, imageSize) => {
    const body = renderGenerate(requestOf({ prompt: "x", resolution, aspectRatio }), []);
    expect(body["generationConfig"]).toEqual({
      responseModalities: ["IMAGE"],
      imageConfig: { aspectRatio, imageSize },
    });
  },
);

const image = (data: string, mimeType = "image/png") => ({ inlineData: { mimeType, data } });
test.each<[string, object[] | undefined, string | undefined]>([
  ["the only image", [image("a")], "a"],
  ["the last of several", [image("a"), image("b", "image/jpeg")], "b"],
  ["not the thoughts", [{ ...image("t"), thought: true }, image("a")], "a"],
  ["also if they come last", [image("a"), { ...image("t"), thought: true }], "a"],
  ["past text and signatures", [{ text: "here" }, image("a"), { thoughtSignature: "s" }], "a"],
  ["nothing else that is inline", [image("a"), image("b", "audio/wav")], "a"],
  ["nothing when there are only thoughts", [{ ...image("t"), thought: true }], undefined],
  ["nothing when there is only text", [{ text: "I cannot draw that" }], undefined],
  ["nothing when there are no parts", undefined, undefined],
])("the image is %s", (_what, parts, data) => {
  const content = parts === undefined ? {} : { content: { parts } };
  const body = { candidates: [{ ...content, finishReason: "STOP" }] };
  expect(imageOf(generatedSchema.parse(body))).toBe(data);
});
