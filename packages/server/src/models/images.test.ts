import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { models } from "./catalogue.ts";
import { imagePlus2 } from "./image-plus-2.ts";
import { imagePro2 } from "./image-pro-2.ts";
import { planRequest, requireModel } from "./plan-request.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const images = (count: number) =>
  Array.from({ length: count }, (_, at) => `https://example.com/${at}.png`);
const commonRatios = ["1:1", "16:9", "9:16", "4:3", "3:4"];
const moreRatios = ["3:2", "2:3", "4:5", "5:4", "21:9"];

describe.each(["image-pro-2", "image-plus-2"])("%s", (model) => {
  const plan = (inputs: object) => planNamed(model, inputs);

  test("without urls it makes an image of the text, with urls it edits", () => {
    expect(plan({ prompt: "a fox" })).toMatchObject({ mode: "text-to-image", images: [] });
    expect(plan({ prompt: "a fox", urls: images(1) })).toMatchObject({
      mode: "edit",
      images: [{ url: "https://example.com/0.png" }],
    });
  });

  test("1 to 10 reference images are taken in their order, 11 are refused", () => {
    for (const count of [1, 2, 9, 10])
      expect(plan({ prompt: "a fox", urls: images(count) })).toMatchObject({
        mode: "edit",
        images: images(count).map((url) => ({ url })),
      });
    expectRefusal(
      () => plan({ prompt: "a fox", urls: images(11) }),
      "inputs.urls",
      "at most 10 reference images",
    );
  });

  test("a reference that is no https URL is refused at its place", () => {
    expectRefusal(
      () => plan({ prompt: "a fox", urls: [...images(9), "http://example.com/9.png"] }),
      "inputs.urls[9]",
      "https",
    );
  });

  test("a prompt is required for both", () => {
    expectRefusal(() => plan({}), "inputs.prompt", "is required for text-to-image");
    expectRefusal(() => plan({ urls: images(1) }), "inputs.prompt", "is required for edit");
    expectRefusal(() => plan({ urls: images(1), prompt: " " }), "inputs.prompt", "is required");
  });

  test.each(["1k", "2k", "4k"])("the resolution %s is taken", (resolution) => {
    expect(plan({ prompt: "a fox", resolution })).toMatchObject({ resolution });
    expect(plan({ prompt: "a fox", urls: images(1), resolution })).toMatchObject({ resolution });
  });

  test("any other resolution is refused and the three are named", () => {
    for (const resolution of ["0.5k", "3k", "8k", "1024x1024", "720p"])
      for (const urls of [[], images(1)])
        expectRefusal(
          () => plan({ prompt: "a fox", urls, resolution }),
          "inputs.resolution",
          "one of 1k, 2k, 4k",
        );
  });

  test.each(commonRatios)("the aspect ratio %s is taken", (aspectRatio) => {
    expect(plan({ prompt: "a fox", aspectRatio })).toMatchObject({ aspectRatio });
    expect(plan({ prompt: "a fox", urls: images(1), aspectRatio })).toMatchObject({ aspectRatio });
  });

  test("an aspect ratio of neither model is refused and the known ones are named", () => {
    for (const aspectRatio of ["9:21", "2:1", "1.5", "auto"])
      expectRefusal(
        () => plan({ prompt: "a fox", aspectRatio }),
        "inputs.aspectRatio",
        "one of 1:1, 16:9, 9:16, 4:3, 3:4",
      );
  });

  test("what only videos take is refused", () => {
    for (const name of ["duration", "seed", "ratio", "outputResolution", "generateAudio", "n"])
      for (const urls of [[], images(1)])
        expectRefusal(
          () => plan({ prompt: "a fox", urls, [name]: "5" }),
          `inputs.${name}`,
          `${model} has no such parameter`,
        );
  });
});

test("image-pro-2: a prompt alone gets every default", () => {
  expect(planRequest(imagePro2, { prompt: "a fox" })).toEqual({
    kind: "image",
    model: "image-pro-2",
    mode: "text-to-image",
    prompt: "a fox",
    images: [],
    resolution: "2k",
    aspectRatio: "1:1",
    quality: "medium",
    outputFormat: "png",
  });
});

test("image-plus-2: a prompt alone gets every default, and no quality or format", () => {
  expect(planRequest(imagePlus2, { prompt: "a fox" })).toEqual({
    kind: "image",
    model: "image-plus-2",
    mode: "text-to-image",
    prompt: "a fox",
    images: [],
    resolution: "2k",
    aspectRatio: "1:1",
    quality: null,
    outputFormat: null,
  });
});

test("image-pro-2 takes medium and high, and png, jpeg and webp", () => {
  for (const urls of [[], images(1)]) {
    for (const quality of ["medium", "high"])
      expect(planRequest(imagePro2, { prompt: "a fox", urls, quality })).toMatchObject({
        quality,
      });
    for (const outputFormat of ["png", "jpeg", "webp"])
      expect(planRequest(imagePro2, { prompt: "a fox", urls, outputFormat })).toMatchObject({
        outputFormat,
      });
  }
});

test("image-pro-2 refuses other qualities and formats and names its own", () => {
  const refuses = (inputs: object, param: string, hint: string) =>
    expectRefusal(() => planRequest(imagePro2, { prompt: "a fox", ...inputs }), param, hint);
  for (const quality of ["low", "standard", "hd"])
    refuses({ quality }, "inputs.quality", "one of medium, high");
  for (const outputFormat of ["jpg", "gif", "bmp", "image/png"])
    refuses({ outputFormat }, "inputs.outputFormat", "one of png, jpeg, webp");
});

test("image-plus-2 has no quality and no output format", () => {
  for (const urls of [[], images(1)])
    for (const [name, value] of Object.entries({ quality: "medium", outputFormat: "png" }))
      expectRefusal(
        () => planRequest(imagePlus2, { prompt: "a fox", urls, [name]: value }),
        `inputs.${name}`,
        "image-plus-2 has no such parameter; it accepts prompt, resolution, aspectRatio, urls",
      );
});

test.each(moreRatios)("the aspect ratio %s is for image-plus-2 only", (aspectRatio) => {
  for (const urls of [[], images(1)]) {
    const inputs = { prompt: "a fox", urls, aspectRatio };
    expect(planRequest(imagePlus2, inputs)).toMatchObject({ aspectRatio });
    expectRefusal(() => planRequest(imagePro2, inputs), "inputs.aspectRatio", "one of 1:1");
  }
});
