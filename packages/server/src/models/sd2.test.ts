import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { models } from "./catalogue.ts";
import { planRequest, requireModel } from "./plan-request.ts";
import { sd2 } from "./sd2.ts";
import { sd2Fast } from "./sd2-fast.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const numbered = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at));
const images = (count: number) => numbered(count, (at) => `https://example.com/${at}.png`);
const videos = (count: number) => numbered(count, (at) => `asset://asset-20260101-v${at}`);

describe.each(["sd2", "sd2-fast"])("%s", (model) => {
  const plan = (inputs: object) => planNamed(model, inputs);
  const reference = (inputs: object) =>
    plan({ videoInputMode: "reference", resolution: "1280x720", ...inputs });

  test("a prompt alone gets every default", () => {
    expect(plan({ prompt: "a fox" })).toEqual({
      kind: "video",
      model,
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
      generateAudio: true,
    });
  });

  test("everything that is given for a reference video is taken, in its order", () => {
    expect(
      reference({
        prompt: "as in image 1",
        urls: ["https://example.com/b.png", "asset://asset-20260101-a", "http://example.com/c.png"],
        videoUrls: videos(2),
        audioUrls: ["http://example.com/1.mp3", "asset://asset-20260101-s"],
        duration: "15s",
        resolution: "720x1280",
        upscaleResolution: "4k",
        seed: 7,
        generateAudio: false,
      }),
    ).toEqual({
      kind: "video",
      model,
      mode: "reference",
      prompt: "as in image 1",
      images: [
        { url: "https://example.com/b.png" },
        { asset: "asset-20260101-a" },
        { url: "http://example.com/c.png" },
      ],
      videos: [{ asset: "asset-20260101-v0" }, { asset: "asset-20260101-v1" }],
      videoSeconds: [],
      audios: [{ url: "http://example.com/1.mp3" }, { asset: "asset-20260101-s" }],
      durationSeconds: 15,
      ratio: "9:16",
      outputResolution: "720p",
      upscaleResolution: "4k",
      seed: 7,
      generateAudio: false,
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

    test("two urls are the first and the last frame, whether the mode is named or not", () => {
      const frames = { images: [{ url: images(2)[0] }, { url: images(2)[1] }] };
      for (const named of [{}, { videoInputMode: "keyframe" }])
        expect(plan({ urls: images(2), ...named })).toMatchObject({ mode: "keyframe", ...frames });
    });

    test("a reference video is one only when the mode is named", () => {
      expect(reference({ urls: images(1) })).toMatchObject({ mode: "reference", prompt: null });
      expect(reference({ urls: images(2) })).toMatchObject({ mode: "reference" });
      expect(plan({ urls: images(2), resolution: "1280x720" })).toMatchObject({ mode: "keyframe" });
    });

    test("nothing at all is refused for want of a prompt", () => {
      expectRefusal(() => plan({}), "inputs.prompt", "is required for text-to-video");
    });

    test("three urls without a mode are refused, with a hint at reference mode", () => {
      for (const count of [3, 9, 10])
        expectRefusal(
          () => plan({ prompt: "a fox", urls: images(count) }),
          "inputs.urls",
          "set videoInputMode to 'reference'",
        );
    });

    test("keyframe by name with any number of urls but 2 is refused, with a hint at the first frame", () => {
      for (const count of [0, 1, 3])
        expectRefusal(
          () => plan({ prompt: "a fox", videoInputMode: "keyframe", urls: images(count) }),
          "inputs.urls",
          "to use only a first frame, omit videoInputMode",
        );
      expectRefusal(
        () => plan({ prompt: "a fox", videoInputMode: "keyframe" }),
        "inputs.urls",
        "exactly 2",
      );
    });

    test("another mode is refused and both are named", () => {
      for (const videoInputMode of ["text-to-video", "image-to-video", "first-frame"])
        expectRefusal(
          () => plan({ prompt: "a fox", videoInputMode }),
          "inputs.videoInputMode",
          "'keyframe' (first and last frame), 'reference' or omitted",
        );
    });
  });

  describe("duration", () => {
    test("4 to 15 seconds are taken, with or without the s", () => {
      for (const seconds of [4, 5, 10, 15])
        for (const duration of [`${seconds}s`, `${seconds}`, seconds])
          expect(plan({ prompt: "a fox", duration })).toMatchObject({ durationSeconds: seconds });
    });

    test.each([
      ..."0s 3s 16s 99s 3 16 100 -5 5.5 5.0s 5S 5ss 5sec".split(" "),
      " 5",
      "5 s",
      "5s\n",
      "five",
      "1e1",
      "٥",
      0,
      3,
      16,
      -5,
      5.5,
      1e21,
    ])("%j is refused and the range is named", (duration) => {
      expectRefusal(
        () => plan({ prompt: "a fox", duration }),
        "inputs.duration",
        "whole number of seconds from '4s' to '15s'",
      );
    });

    test("the limits hold in every mode", () => {
      for (const duration of ["3s", "16s"]) {
        expectRefusal(() => plan({ urls: images(1), duration }), "inputs.duration");
        expectRefusal(() => plan({ urls: images(2), duration }), "inputs.duration");
        expectRefusal(() => reference({ urls: images(1), duration }), "inputs.duration");
      }
    });
  });

  describe("resolution", () => {
    test.each([
      ["720x720", "1:1"],
      ["720x960", "3:4"],
      ["960x720", "4:3"],
      ["1280x720", "16:9"],
      ["720x1280", "9:16"],
      ["1280x540", "21:9"],
    ])("%s selects the ratio %s in every mode", (resolution, ratio) => {
      expect(plan({ prompt: "a fox", resolution })).toMatchObject({ ratio });
      expect(plan({ urls: images(1), resolution })).toMatchObject({ ratio });
      expect(plan({ urls: images(2), resolution })).toMatchObject({ ratio });
      expect(reference({ urls: images(1), resolution })).toMatchObject({ ratio });
    });

    test("any other is refused and the six are named", () => {
      for (const resolution of ["540x1280", "1920x1080", "1280x721", "16:9", "720p"])
        expectRefusal(
          () => plan({ prompt: "a fox", resolution }),
          "inputs.resolution",
          "720x720, 720x960, 960x720, 1280x720, 720x1280, 1280x540",
        );
    });

    test("is left to the model when it is left out, but not in reference mode", () => {
      expect(plan({ prompt: "a fox" })).toMatchObject({ ratio: null });
      expect(plan({ urls: images(1) })).toMatchObject({ ratio: null });
      expect(plan({ urls: images(2) })).toMatchObject({ ratio: null });
      expectRefusal(
        () => plan({ videoInputMode: "reference", urls: images(1) }),
        "inputs.resolution",
        "it is required in reference mode",
      );
    });
  });

  test("720p may be named, and upscaled to 1080p, 2k and 4k", () => {
    const inputs = { prompt: "a fox", outputResolution: "720p" };
    expect(plan(inputs)).toEqual(plan({ prompt: "a fox" }));
    for (const upscaleResolution of ["1080p", "2k", "4k"]) {
      const expected = { outputResolution: "720p", upscaleResolution };
      expect(plan({ ...inputs, upscaleResolution })).toMatchObject(expected);
      expect(plan({ prompt: "a fox", upscaleResolution })).toMatchObject(expected);
    }
  });

  test("an upscale to 720p, or to what there is not, is refused", () => {
    for (const upscaleResolution of ["720p", "1440p", "8k", "4K"])
      expectRefusal(
        () => plan({ prompt: "a fox", upscaleResolution }),
        "inputs.upscaleResolution",
        "one of 1080p, 2k, 4k",
      );
  });

  test("an upscale that would not upscale what is rendered is refused: a square of 1080p has the 1440 px of 2k", () => {
    const square = { prompt: "a fox", resolution: "720x720" };
    for (const upscaleResolution of ["1080p", "2k", "4k"])
      expect(plan({ ...square, upscaleResolution })).toMatchObject({ upscaleResolution });
    if (model === "sd2-fast") return;
    const native = { prompt: "a fox", outputResolution: "1080p" };
    const refused = { ...native, resolution: "720x720", upscaleResolution: "2k" };
    expectRefusal(() => plan(refused), "inputs.upscaleResolution", "short side of 1440 px");
    expect(plan({ ...refused, upscaleResolution: "4k" })).toMatchObject({ ratio: "1:1" });
    for (const resolution of ["720x960", "960x720", "1280x720", "720x1280", "1280x540", undefined])
      expect(plan({ ...refused, resolution })).toMatchObject({ upscaleResolution: "2k" });
  });

  test("audio is made unless it is declined", () => {
    expect(plan({ prompt: "a fox", generateAudio: true })).toMatchObject({ generateAudio: true });
    expect(plan({ prompt: "a fox", generateAudio: false })).toMatchObject({ generateAudio: false });
  });

  test("what only other models take is refused", () => {
    for (const name of ["ratio", "aspectRatio", "quality", "videoWorkflowTab", "outputFormat"])
      expectRefusal(
        () => plan({ prompt: "a fox", [name]: "16:9" }),
        `inputs.${name}`,
        `${model} has no such parameter`,
      );
  });
});

test("sd2 renders 1080p itself, in every mode", () => {
  const outputResolution = "1080p";
  for (const inputs of [
    { prompt: "a fox" },
    { urls: images(1) },
    { urls: images(2) },
    { videoInputMode: "reference", resolution: "1280x720", urls: images(1) },
  ])
    expect(planRequest(sd2, { ...inputs, outputResolution })).toMatchObject({ outputResolution });
});

test("sd2: native 1080p may be upscaled to 2k and 4k, and not to 1080p", () => {
  const inputs = { prompt: "a fox", outputResolution: "1080p" };
  for (const upscaleResolution of ["2k", "4k"])
    expect(planRequest(sd2, { ...inputs, upscaleResolution })).toMatchObject({
      outputResolution: "1080p",
      upscaleResolution,
    });
  expectRefusal(
    () => planRequest(sd2, { ...inputs, upscaleResolution: "1080p" }),
    "inputs.upscaleResolution",
    "must be higher than outputResolution, which is 1080p already",
  );
});

test("sd2-fast refuses native 1080p with a hint at the upscale, in every mode", () => {
  for (const inputs of [
    { prompt: "a fox" },
    { prompt: "a fox", upscaleResolution: "1080p" },
    { urls: images(1) },
    { urls: images(2) },
    { videoInputMode: "reference", resolution: "1280x720", urls: images(1) },
  ])
    expectRefusal(
      () => planRequest(sd2Fast, { ...inputs, outputResolution: "1080p" }),
      "inputs.outputResolution",
      "for 1080p with sd2-fast, set upscaleResolution to '1080p'",
    );
});
