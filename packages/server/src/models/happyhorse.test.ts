import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { happyhorse } from "./happyhorse.ts";
import { planRequest } from "./plan-request.ts";

const plan = (inputs: object) => planRequest(happyhorse, inputs);
const images = (count: number) =>
  Array.from({ length: count }, (_, at) => `https://example.com/${at}.png`);
const references = (count: number, inputs: object = {}) =>
  plan({ prompt: "a fox", videoWorkflowTab: "multi-reference", urls: images(count), ...inputs });

test("a prompt alone gets every default", () => {
  expect(plan({ prompt: "a fox" })).toEqual({
    kind: "video",
    model: "happyhorse",
    mode: "text-to-video",
    prompt: "a fox",
    images: [],
    videos: [],
    videoSeconds: [],
    audios: [],
    durationSeconds: 5,
    ratio: null,
    outputResolution: "720p",
    upscaleResolution: null,
    seed: null,
  });
});

test("everything that is given is taken", () => {
  expect(
    references(2, {
      prompt: "character1 meets character2",
      duration: "15",
      ratio: "9:16",
      outputResolution: "1080p",
      upscaleResolution: "4k",
      seed: 7,
    }),
  ).toEqual({
    kind: "video",
    model: "happyhorse",
    mode: "reference-to-video",
    prompt: "character1 meets character2",
    images: [{ url: "https://example.com/0.png" }, { url: "https://example.com/1.png" }],
    videos: [],
    videoSeconds: [],
    audios: [],
    durationSeconds: 15,
    ratio: "9:16",
    outputResolution: "1080p",
    upscaleResolution: "4k",
    seed: 7,
  });
});

describe("which mode it is", () => {
  test("one url is the first frame, with or without a prompt", () => {
    expect(plan({ urls: images(1) })).toMatchObject({ mode: "image-to-video", prompt: null });
    expect(plan({ urls: images(1), prompt: "it runs" })).toMatchObject({
      mode: "image-to-video",
      prompt: "it runs",
    });
  });

  test("more than one url is refused, with a hint at multi-reference", () => {
    for (const count of [2, 3, 9, 10])
      expectRefusal(
        () => plan({ prompt: "a fox", urls: images(count) }),
        "inputs.urls",
        "set videoWorkflowTab to 'multi-reference'",
      );
  });

  test("multi-reference takes 1 to 9 urls, and not 0 or 10", () => {
    for (const count of [1, 2, 8, 9])
      expect(references(count)).toMatchObject({
        mode: "reference-to-video",
        images: images(count).map((url) => ({ url })),
      });
    for (const count of [0, 10])
      expectRefusal(() => references(count), "inputs.urls", "accepts 1 to 9 reference images");
    expectRefusal(
      () => plan({ prompt: "a fox", videoWorkflowTab: "multi-reference" }),
      "inputs.urls",
      "accepts 1 to 9 reference images",
    );
  });

  test("text alone and references need a prompt", () => {
    for (const without of [undefined, "", " \n"]) {
      expectRefusal(
        () => plan({ prompt: without }),
        "inputs.prompt",
        "is required for text-to-video",
      );
      expectRefusal(
        () => references(1, { prompt: without }),
        "inputs.prompt",
        "is required for reference-to-video",
      );
    }
  });

  test("another workflow is refused and the one there is is named", () => {
    for (const videoWorkflowTab of ["image-to-video", "text-to-video", "reference"])
      expectRefusal(
        () => plan({ prompt: "a fox", urls: images(1), videoWorkflowTab }),
        "inputs.videoWorkflowTab",
        "must be 'multi-reference' or omitted",
      );
  });
});

test("last frames, videos, audio and what only other models take are refused", () => {
  const inputs = {
    videoInputMode: "keyframe",
    videoUrls: ["asset://asset-20260101-v"],
    audioUrls: ["https://example.com/a.mp3"],
    generateAudio: true,
    resolution: "1280x720",
    aspectRatio: "16:9",
    quality: "high",
    outputFormat: "png",
  };
  for (const [name, value] of Object.entries(inputs)) {
    const hint = "happyhorse has no such parameter";
    expectRefusal(() => plan({ prompt: "a fox", [name]: value }), `inputs.${name}`, hint);
    expectRefusal(() => plan({ urls: images(1), [name]: value }), `inputs.${name}`, hint);
    expectRefusal(() => references(1, { [name]: value }), `inputs.${name}`, hint);
  }
});

describe("duration", () => {
  test("3 to 15 seconds are taken, with or without the s", () => {
    for (const seconds of [3, 4, 5, 10, 15])
      for (const duration of [`${seconds}s`, `${seconds}`, seconds])
        expect(plan({ prompt: "a fox", duration })).toMatchObject({ durationSeconds: seconds });
  });

  test.each([..."0 2 2s 16 16s 100 -5 5.5 5.0 5S 5ss".split(" "), " 5", "5 s", "5\n", "five"])(
    "%j is refused and the range is named",
    (duration) => {
      expectRefusal(
        () => plan({ prompt: "a fox", duration }),
        "inputs.duration",
        "whole number of seconds from '3' to '15'",
      );
    },
  );

  test("the limits hold in every mode", () => {
    for (const duration of ["2", "16"]) {
      expectRefusal(() => plan({ urls: images(1), duration }), "inputs.duration");
      expectRefusal(() => references(1, { duration }), "inputs.duration");
    }
  });
});

describe("ratio", () => {
  const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4"];

  test.each(ratios)("%s is taken for text and references", (ratio) => {
    expect(plan({ prompt: "a fox", ratio })).toMatchObject({ ratio });
    expect(references(1, { ratio })).toMatchObject({ ratio });
  });

  test.each(ratios)("%s is accepted beside a first frame, which decides instead", (ratio) => {
    expect(plan({ urls: images(1), ratio })).toEqual(plan({ urls: images(1) }));
    expect(plan({ urls: images(1), ratio })).toMatchObject({ ratio: null });
  });

  test("any other is refused in every mode and the five are named", () => {
    for (const ratio of ["21:9", "3:2", "16x9", "16/9", "1280x720"])
      for (const act of [
        () => plan({ prompt: "a fox", ratio }),
        () => plan({ urls: images(1), ratio }),
        () => references(1, { ratio }),
      ])
        expectRefusal(act, "inputs.ratio", "16:9, 9:16, 1:1, 4:3, 3:4");
  });
});

describe("outputResolution and upscaleResolution", () => {
  test("720p and 1080p are rendered, nothing else", () => {
    for (const outputResolution of ["720p", "1080p"])
      expect(plan({ prompt: "a fox", outputResolution })).toMatchObject({
        outputResolution,
        upscaleResolution: null,
      });
    for (const outputResolution of ["480p", "2k", "4k"])
      expectRefusal(
        () => plan({ prompt: "a fox", outputResolution }),
        "inputs.outputResolution",
        "one of 720p, 1080p",
      );
  });

  test.each([
    ["720p", "1080p"],
    ["720p", "2k"],
    ["720p", "4k"],
    ["1080p", "2k"],
    ["1080p", "4k"],
  ])("%s may be upscaled to %s", (outputResolution, upscaleResolution) => {
    const expected = { outputResolution, upscaleResolution };
    expect(plan({ prompt: "a fox", ...expected })).toMatchObject(expected);
    expect(plan({ urls: images(1), ...expected })).toMatchObject(expected);
    expect(references(1, expected)).toMatchObject(expected);
  });

  test("an upscale to what is rendered anyway, or below, is refused", () => {
    const inputs = { prompt: "a fox", outputResolution: "1080p" };
    expectRefusal(
      () => plan({ ...inputs, upscaleResolution: "1080p" }),
      "inputs.upscaleResolution",
      "must be higher than outputResolution, which is 1080p already",
    );
    for (const upscaleResolution of ["720p", "8k"])
      expectRefusal(
        () => plan({ ...inputs, upscaleResolution }),
        "inputs.upscaleResolution",
        "one of 1080p, 2k, 4k",
      );
  });
});
