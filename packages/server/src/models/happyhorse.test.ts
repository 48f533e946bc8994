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
      expectRefusal(() => references(count), "inputs.urls", "takes 1 to 9 reference images");
    expectRefusal(
      () => plan({ prompt: "a fox", videoWorkflowTab: "multi-reference" }),
      "inputs.urls",
      "takes 1 to 9 reference images",
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

test("last frames, videos, sounds and what only other models take are refused", () => {
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

describe("how much of a prompt is read", () => {
  const cjk = {
    han: "狐",
    "rare han": "𠀀",
    hiragana: "き",
    katakana: "キ",
    hangul: "여",
    "long vowel": "ー",
    "middle dot": "・",
    "company sign": "㈱",
    secret: "㊙",
    comma: "、",
    fullwidth: "Ａ",
    jamo: "ᄀ",
    bopomofo: "ㄅ",
    compatibility: "豈",
  };
  const inEveryMode = [
    ["text-to-video", (prompt: string) => plan({ prompt })],
    ["image-to-video", (prompt: string) => plan({ prompt, urls: images(1) })],
    ["reference-to-video", (prompt: string) => references(1, { prompt })],
  ] as const;

  describe.each(inEveryMode)("%s", (_, planPrompt) => {
    const isWhole = (prompt: string) => {
      const planned = planPrompt(prompt);
      expect(planned).toMatchObject({ prompt });
      expect(planned).not.toHaveProperty("promptCut");
    };
    const isCut = (prompt: string, read: string) =>
      expect(planPrompt(prompt)).toMatchObject({ prompt: read, promptCut: { unitsMax: 5_000 } });

    test("5000 Latin characters are read, of 5001 the last is cut off", () => {
      for (const character of ["a", "é", "Ж"]) {
        isWhole(character.repeat(5_000));
        isCut(character.repeat(5_001), character.repeat(5_000));
      }
    });

    test.each(Object.entries(cjk))(
      "2500 characters of %s are read, of 2501 the last is cut off",
      (_name, character) => {
        isWhole(character.repeat(2_500));
        isCut(character.repeat(2_501), character.repeat(2_500));
      },
    );

    test("an emoji is one character, though it is two code units, and is never cut in two", () => {
      isWhole("🦊".repeat(5_000));
      isCut("🦊".repeat(5_001), "🦊".repeat(5_000));
      isCut(`${"狐".repeat(2_499)}a🦊🦊`, `${"狐".repeat(2_499)}a🦊`);
    });

    test("what is written with several code points is kept whole or cut off whole", () => {
      const family = "👨‍👩‍👧"; // five code points
      isWhole("a".repeat(4_995) + family);
      isCut("a".repeat(4_996) + family, "a".repeat(4_996));
      isCut(`${"a".repeat(4_999)}e\u0301`, "a".repeat(4_999));
      isCut(`${"a".repeat(4_999)}🇯🇵`, "a".repeat(4_999));
      // a character without end is cut like text
      isCut(`a${"\u0301".repeat(6_000)}`, `a${"\u0301".repeat(4_999)}`);
    });

    test("a prompt whose readable part is white space is no prompt", () => {
      const hidden = `${" ".repeat(5_000)}a fox`;
      expectRefusal(() => planPrompt(hidden), "inputs.prompt", "white space");
    });

    test("in mixed text each CJK character counts twice", () => {
      for (const mixed of ["狐".repeat(2_000) + "a".repeat(1_000), "a狐🦊".repeat(1_250)]) {
        isWhole(mixed);
        isCut(`${mixed}a`, mixed);
      }
      isWhole(`${"狐".repeat(2_499)}aa`);
      isCut(`${"狐".repeat(2_499)}aaa`, `${"狐".repeat(2_499)}aa`);
      isCut(`${"狐".repeat(2_499)}a狐`, `${"狐".repeat(2_499)}a`);
    });

    test("of far too much the beginning is read", () => {
      isCut("a".repeat(100_000), "a".repeat(5_000));
      isCut("狐".repeat(100_000), "狐".repeat(2_500));
    });
  });
});

describe("duration", () => {
  test("3 to 15 seconds are taken, with or without the s", () => {
    for (const seconds of [3, 4, 5, 10, 15])
      for (const duration of [`${seconds}s`, `${seconds}`])
        expect(plan({ prompt: "a fox", duration })).toMatchObject({ durationSeconds: seconds });
  });

  test.each([..."0 2 2s 16 16s 100 -5 5.5 5.0 5S 5ss".split(" "), " 5", "5 s", "5\n", "five"])(
    "%j is refused and the range is named",
    (duration) => {
      expectRefusal(
        () => plan({ prompt: "a fox", duration }),
        "inputs.duration",
        "whole seconds from '3' to '15'",
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
