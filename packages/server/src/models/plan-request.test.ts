import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { models } from "./catalogue.ts";
import { parametersOf } from "./model.ts";
import { planRequest, requireModel } from "./plan-request.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const names = ["sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"];
const seeded = ["sd2", "sd2-fast", "happyhorse"];
const modes = models.flatMap((model) => model.modes.map((mode) => ({ model, mode })));
const inEveryMode = modes.map(({ model, mode }) => [model.name, mode.name, mode.example] as const);
const image = "https://example.com/a.png";

const plan = (model: string, inputs: object) => () => planNamed(model, inputs);

test.each(["sd3", "SD2", " sd2", "", "toString", "__proto__", "constructor"])(
  "the unknown model '%s' is refused and all five are named",
  (model) => {
    expectRefusal(
      plan(model, { prompt: "a fox" }),
      "model",
      "sd2, sd2-fast, happyhorse, image-pro-2, image-plus-2",
    );
  },
);

test("there are exactly the five models, with the modes they are published with", () => {
  expect(models.map(({ name, modes }) => [name, ...modes.map((mode) => mode.name)])).toEqual([
    ["sd2", "text-to-video", "image-to-video", "keyframe", "reference"],
    ["sd2-fast", "text-to-video", "image-to-video", "keyframe", "reference"],
    ["happyhorse", "text-to-video", "image-to-video", "reference-to-video"],
    ["image-pro-2", "text-to-image", "edit"],
    ["image-plus-2", "text-to-image", "edit"],
  ]);
});

const video = ["prompt", "urls", "duration", "outputResolution", "upscaleResolution", "seed"];
const sd2 = [...video, "videoUrls", "audioUrls", "videoInputMode", "resolution", "generateAudio"];
test.each([
  ["sd2", sd2],
  ["sd2-fast", sd2],
  ["happyhorse", [...video, "videoWorkflowTab", "ratio"]],
  ["image-pro-2", ["prompt", "urls", "quality", "resolution", "aspectRatio", "outputFormat"]],
  ["image-plus-2", ["prompt", "urls", "resolution", "aspectRatio"]],
])("%s takes the parameters it is published with and no others", (name, parameters) => {
  const model = models.find((each) => each.name === name);
  expect(model && [...parametersOf(model)].toSorted()).toEqual(parameters.toSorted());
});

describe.each(inEveryMode)("%s %s", (model, mode, example) => {
  test("its example is accepted as it stands, as a request of that mode", () => {
    expect(planNamed(model, example)).toMatchObject({ model, mode });
  });

  test("an unknown parameter is refused by its name, and the known ones are named", () => {
    for (const name of ["Prompt", "negativePrompt", "callBackUrl", "toString", "a b"])
      expectRefusal(
        plan(model, { ...example, [name]: 1 }),
        `inputs.${name}`,
        `${model} has no such parameter; it accepts prompt, `,
      );
  });

  test("an unknown parameter is refused even when its value is empty", () => {
    for (const value of [null, [], ""])
      expectRefusal(plan(model, { ...example, style: value }), "inputs.style", "has no such");
  });

  test("a parameter named __proto__ is refused like any other", () => {
    const inputs: unknown = JSON.parse(`{"__proto__":{"prompt":"x"}}`);
    expectRefusal(
      plan(
        model,
        Object.defineProperties({ ...example }, Object.getOwnPropertyDescriptors(inputs)),
      ),
      "inputs.__proto__",
    );
  });

  test("a prompt with half a character or a NUL is refused", () => {
    for (const prompt of ["half \ud83d", "\ude00 half", "a\u0000b", "\ude00\ud83d"])
      expectRefusal(plan(model, { ...example, prompt }), "inputs.prompt", "well-formed");
  });

  test("a prompt is kept to the letter", () => {
    const prompt = "  Ein Fuchs 🦊 — 狐狸\n\tund \\ \" ' <b>  ";
    expect(planNamed(model, { ...example, prompt })).toMatchObject({ prompt });
  });
});

/** Values of a wrong type for every parameter. */
const wrong: Record<string, readonly unknown[]> = {
  prompt: [[], 5, true, {}, ["text"]],
  urls: [5, true, {}, image, ""],
  videoUrls: [5, true, {}, "asset://asset-20260101-a"],
  audioUrls: [5, true, {}, image],
  videoInputMode: [[], 5, true, {}, ["reference"], "", "image", "Keyframe"],
  videoWorkflowTab: [[], 5, true, {}, ["multi-reference"], "", "reference", "Multi-Reference"],
  duration: [[], 5.5, true, {}, ["5s"], "", "s"],
  resolution: [[], 720, true, {}, ["2k", "1280x720"], "", "2K", "1280X720"],
  outputResolution: [[], 720, true, {}, ["720p"], "", "720", "720P", "480p", "2k"],
  upscaleResolution: [[], 1080, true, {}, ["2k"], "", "2K", "720p", "8k"],
  seed: [[], "1", true, {}, [1], 1.5, Number.NaN, Number.POSITIVE_INFINITY],
  generateAudio: [[], 0, 1, "true", "", {}, [true]],
  ratio: [[], 16, true, {}, ["16:9"], "", "16x9", "21:9"],
  quality: [[], 1, true, {}, ["high"], "", "low", "High"],
  aspectRatio: [[], 1, true, {}, ["1:1"], "", "1x1", "9:21"],
  outputFormat: [[], 1, true, {}, ["png"], "", "PNG", "jpg", "gif"],
};

const everyParameter = modes.flatMap(({ model, mode }) =>
  Object.keys(mode.inputs.shape).map(
    (name) => [model.name, mode.name, name, mode.example] as const,
  ),
);

test.each(everyParameter)(
  "%s %s: %s of null is the same as leaving it out",
  (model, _, name, example) => {
    const { [name]: _given, ...without } = example;
    const outcome = (inputs: object) => {
      try {
        return planNamed(model, inputs);
      } catch (error) {
        return String(error);
      }
    };
    expect(outcome({ ...example, [name]: null })).toEqual(outcome(without));
  },
);

test.each(everyParameter)(
  "%s %s: %s is refused by its name when it is of another type",
  (model, _, name, example) => {
    const values = wrong[name] ?? [];
    expect(values).not.toEqual([]);
    for (const value of values)
      expectRefusal(plan(model, { ...example, [name]: value }), `inputs.${name}`);
  },
);

test.each(inEveryMode.filter(([, , example]) => "urls" in example))(
  "%s %s: a list with something that is no text is refused at its place",
  (model, _, example) => {
    const urls: unknown[] = Array.isArray(example["urls"]) ? example["urls"] : [];
    for (const value of [null, 5, {}, [image]])
      expectRefusal(
        plan(model, { ...example, urls: [...urls.slice(0, -1), value] }),
        `inputs.urls[${urls.length - 1}]`,
        "URL",
      );
  },
);

describe("empty forms", () => {
  test.each(names)("%s: an empty list of urls is no list", (model) => {
    const inputs = { prompt: "a fox" };
    expect(planNamed(model, { ...inputs, urls: [] })).toEqual(planNamed(model, inputs));
    expectRefusal(plan(model, { urls: [] }), "inputs.prompt", "is required");
  });

  test.each(["sd2", "sd2-fast"])(
    "%s: empty videoUrls and audioUrls are none, in any mode",
    (model) => {
      for (const inputs of [{ prompt: "a fox" }, { urls: [image] }, { urls: [image, image] }])
        expect(planNamed(model, { ...inputs, videoUrls: [], audioUrls: [] })).toEqual(
          planNamed(model, inputs),
        );
    },
  );

  test.each(names)("%s: a prompt of white space is no prompt", (model) => {
    for (const prompt of ["", " ", "\n\t ", "\u3000\u00a0"])
      expectRefusal(plan(model, { prompt }), "inputs.prompt", "is required");
  });

  test.each(["sd2", "sd2-fast", "happyhorse"])(
    "%s: beside a first frame a prompt of white space is no prompt",
    (model) => {
      expect(planNamed(model, { urls: [image], prompt: " \n" })).toEqual(
        planNamed(model, { urls: [image] }),
      );
    },
  );

  test.each(
    seeded.flatMap((model) => [null, ""].map((blank): [typeof model, unknown] => [model, blank])),
  )("%s: a seed of %j is no seed", (model, blank) => {
    expect(planNamed(model, { prompt: "a fox", seed: blank })).toEqual(
      planNamed(model, { prompt: "a fox" }),
    );
  });

  test.each(["image-pro-2", "image-plus-2"])("%s knows no seed, not even null", (model) => {
    expectRefusal(plan(model, { prompt: "a fox", seed: null }), "inputs.seed", "no such parameter");
  });
});

describe("seeds", () => {
  test.each(seeded)("%s keeps the seeds 0 and 2147483647", (model) => {
    for (const seed of [0, 1, 2_147_483_647])
      expect(planNamed(model, { prompt: "a fox", seed })).toMatchObject({ seed });
    expect(planNamed(model, { prompt: "a fox" })).toMatchObject({ seed: null });
  });

  test.each(seeded)("%s refuses the seeds -2 and 2147483648", (model) => {
    for (const seed of [-2, 2_147_483_648])
      expectRefusal(plan(model, { prompt: "a fox", seed }), "inputs.seed", "0 to 2147483647");
  });

  test.each(["sd2", "sd2-fast"])("%s takes the seed -1 for random", (model) => {
    expect(planNamed(model, { prompt: "a fox", seed: -1 })).toMatchObject({ seed: null });
  });

  test("happyhorse refuses the seed -1", () => {
    expectRefusal(plan("happyhorse", { prompt: "a fox", seed: -1 }), "inputs.seed", "0 to");
  });
});

test("a parameter that does not belong is reported before one that is missing", () => {
  expectRefusal(plan("sd2", { videoUrls: ["asset://asset-1-a"] }), "inputs.videoUrls", "reference");
  expectRefusal(plan("image-pro-2", { promt: "a typo" }), "inputs.promt", "prompt");
});

test("a URL is at most 4096 characters, also when it is written out", () => {
  const urlOf = (length: number) => image.padEnd(length, "x");
  expect(planNamed("sd2", { urls: [urlOf(4_096)] })).toMatchObject({ mode: "image-to-video" });
  expectRefusal(plan("sd2", { urls: [urlOf(4_097)] }), "inputs.urls[0]", "4096");
  expectRefusal(plan("sd2", { urls: [`${image}${"é".repeat(1_000)}`] }), "inputs.urls[0]", "4096");
});
