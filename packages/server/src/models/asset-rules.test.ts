import { describe, expect, test } from "vitest";
import { apply, audio, image, planNamed, reference, uri, video } from "../../test/asset-facts.ts";
import { expectRefusal } from "../../test/refusal.ts";
import type { AssetFacts } from "./asset-rules.ts";

/** Every mode that takes an image `a`. */
const sd2References = ["sd2", "sd2-fast"].map(
  (model) => [model, "reference", { ...reference, urls: [uri("a")] }] as const,
);
const sd2Frames = ["sd2", "sd2-fast"].flatMap(
  (model) =>
    [
      [model, "image-to-video", { urls: [uri("a")] }],
      [model, "keyframe", { urls: [uri("a"), "https://example.com/b.png"] }],
    ] as const,
);
const happyhorse = [
  ["happyhorse", "image-to-video", { urls: [uri("a")] }],
  [
    "happyhorse",
    "reference-to-video",
    { prompt: "a fox", videoWorkflowTab: "multi-reference", urls: [uri("a")] },
  ],
] as const;
const edits = ["image-pro-2", "image-plus-2"].map(
  (model) => [model, "edit", { prompt: "a fox", urls: [uri("a")] }] as const,
);
const everyImageMode = [...sd2References, ...sd2Frames, ...happyhorse, ...edits];

/** Both orientations of an image. */
const sides = (width: number, height: number) => [
  image({ width, height }),
  image({ width: height, height: width }),
];

function testImageRules(
  model: string,
  inputs: object,
  taken: readonly AssetFacts[],
  refused: readonly AssetFacts[],
  hint: string,
) {
  for (const a of taken) expect(apply(model, inputs, { a })).toEqual(planNamed(model, inputs));
  for (const a of refused) expectRefusal(() => apply(model, inputs, { a }), "inputs.urls[0]", hint);
}

describe.each(sd2References)("%s %s", (model, _, inputs) => {
  test("an image of 400 px on its shortest side is taken, of 399 px refused", () => {
    const taken = [...sides(400, 400), ...sides(400, 4_000)];
    const refused = [...sides(399, 399), ...sides(399, 400), ...sides(399, 4_000)];
    testImageRules(model, inputs, taken, refused, "at least 400 px on its shortest side");
  });

  test("ratio, size and format of an image are not limited", () => {
    const taken = [
      ...sides(400, 4_000),
      image({ sizeBytes: 60 * 1024 * 1024 }),
      image({ contentType: "image/gif" }),
    ];
    testImageRules(model, inputs, taken, [], "");
  });
});

describe.each(sd2Frames)("%s %s", (model, _, inputs) => {
  test("the limits of reference images do not apply to frames", () => {
    testImageRules(model, inputs, [...sides(399, 399), ...sides(1, 4_000)], [], "");
  });
});

test.each([...sd2References, ...sd2Frames])(
  "%s %s: an image of 6,000 px on its longest side is taken, of 6,001 px refused",
  (model, _, inputs) => {
    const taken = [...sides(6_000, 6_000), ...sides(400, 6_000)];
    const refused = [...sides(6_001, 6_001), ...sides(400, 6_001)];
    testImageRules(model, inputs, taken, refused, "at most 6000 px on its longest side");
  },
);

describe.each(happyhorse)("%s %s", (model, _, inputs) => {
  test("an image of 300 px on its shortest side is taken, of 299 px refused", () => {
    const taken = [...sides(300, 300), ...sides(300, 750)];
    const refused = [...sides(299, 299), ...sides(299, 300), ...sides(299, 700)];
    testImageRules(model, inputs, taken, refused, "at least 300 px on its shortest side");
  });

  test("a ratio of 2.5 is taken either way, anything beyond refused", () => {
    const taken = [...sides(400, 1_000), ...sides(401, 1_002), ...sides(40_000, 100_000)];
    const refused = [...sides(400, 1_001), ...sides(401, 1_003), ...sides(40_000, 100_001)];
    testImageRules(model, inputs, taken, refused, "between 1:2.5 and 2.5:1");
  });

  test("10 MB are taken, one byte more is refused", () => {
    const taken = [image({ sizeBytes: 10 * 1024 * 1024 })];
    const refused = [image({ sizeBytes: 10 * 1024 * 1024 + 1 })];
    testImageRules(model, inputs, taken, refused, "at most 10 MB");
  });

  test("jpeg, png, bmp and webp are taken, other formats refused", () => {
    const taken = ["jpeg", "png", "bmp", "webp"].map((name) =>
      image({ contentType: `image/${name}` }),
    );
    const refused = ["gif", "svg+xml", "tiff", "avif", "png2"].map((name) =>
      image({ contentType: `image/${name}` }),
    );
    testImageRules(model, inputs, taken, refused, "jpeg, png, bmp, webp");
  });
});

describe.each(edits)("%s %s", (model, _, inputs) => {
  test("an image of 256 px on its shortest side is taken, of 255 px refused", () => {
    const taken = [...sides(256, 256), ...sides(256, 768)];
    const refused = [...sides(255, 255), ...sides(255, 256), ...sides(255, 700)];
    testImageRules(model, inputs, taken, refused, "at least 256 px on its shortest side");
  });

  test("a ratio of 3 is taken either way, anything beyond refused", () => {
    const taken = [...sides(300, 900), ...sides(301, 903), ...sides(30_000, 90_000)];
    const refused = [...sides(300, 901), ...sides(301, 904), ...sides(30_000, 90_001)];
    testImageRules(model, inputs, taken, refused, "between 1:3 and 3:1");
  });

  test("50 MB are taken, one byte more is refused", () => {
    const taken = [image({ sizeBytes: 50 * 1024 * 1024 })];
    const refused = [image({ sizeBytes: 50 * 1024 * 1024 + 1 })];
    testImageRules(model, inputs, taken, refused, "at most 50 MB");
  });

  test("jpeg, png and webp are taken, other formats refused", () => {
    const taken = ["jpeg", "png", "webp"].map((name) => image({ contentType: `image/${name}` }));
    const refused = ["bmp", "gif", "svg+xml", "tiff", "avif"].map((name) =>
      image({ contentType: `image/${name}` }),
    );
    testImageRules(model, inputs, taken, refused, "jpeg, png, webp");
  });
});

describe.each(everyImageMode)("%s %s: the asset behind an image", (model, _, inputs) => {
  test("must be an image", () => {
    for (const a of [video(), audio()])
      expectRefusal(
        () => apply(model, inputs, { a }),
        "inputs.urls[0]",
        `must be of type IMAGE, but is ${a.type}`,
      );
  });

  test("must exist", () => {
    for (const assets of [{}, { b: image(), A: image() }])
      expectRefusal(() => apply(model, inputs, assets), "inputs.urls[0]", "no such asset");
  });

  const needsReview = model === "sd2" || model === "sd2-fast";

  test("must have passed its review where the model asks for one, and is refused by none", () => {
    const inReview = () => apply(model, inputs, { a: image({ status: "PROCESSING" }) });
    if (needsReview) expectRefusal(inReview, "inputs.urls[0]", "still in review");
    else expect(inReview()).toMatchObject({ model });
    expectRefusal(
      () => apply(model, inputs, { a: image({ status: "FAILED" }) }),
      "inputs.urls[0]",
      "did not pass its review",
    );
    expect(apply(model, inputs, { a: image({ status: "ACTIVE" }) })).toMatchObject({ model });
  });

  test("may still be in review without having been measured: the answer says so", () => {
    const a = image({
      status: "PROCESSING",
      contentType: null,
      sizeBytes: null,
      width: null,
      height: null,
    });
    const reason = needsReview ? "still in review" : "not stored yet";
    expectRefusal(() => apply(model, inputs, { a }), "inputs.urls[0]", reason);
  });
});

test.each([...sd2References, ...sd2Frames])(
  "%s %s takes no image without a review",
  (model, _, inputs) => {
    expectRefusal(
      () => apply(model, inputs, { a: image({ status: "NONE" }) }),
      "inputs.urls[0]",
      `${model} takes reviewed assets only`,
    );
  },
);

test.each([...happyhorse, ...edits])(
  "%s %s takes an image without a review",
  (model, mode, inputs) => {
    expect(apply(model, inputs, { a: image({ status: "NONE" }) })).toMatchObject({ model, mode });
  },
);

test.each(everyImageMode.filter(([, mode]) => mode !== "image-to-video"))(
  "%s %s: a fault names the place of its image",
  (model, _, inputs) => {
    const two = { ...inputs, urls: [uri("a"), uri("b")] };
    const faulty = image({ status: "FAILED" });
    expectRefusal(() => apply(model, two, { a: faulty, b: faulty }), "inputs.urls[0]");
    expectRefusal(() => apply(model, two, { a: image(), b: faulty }), "inputs.urls[1]");
  },
);

test.each(["sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"])(
  "%s: a request without assets is left as it is",
  (model) => {
    for (const urls of [[], ["https://example.com/a.png"]]) {
      const inputs = { prompt: "a fox", urls };
      expect(apply(model, inputs, {})).toEqual(planNamed(model, inputs));
    }
  },
);

test("sd2: a first frame that is clearly square makes 1440x1440 of 1080p, which 2k does not upscale; one that may be something else is taken", () => {
  const native = { outputResolution: "1080p", upscaleResolution: "2k" };
  for (const urls of [[uri("a")], [uri("a"), "https://example.com/b.png"]]) {
    const inputs = { urls, ...native };
    const withSides = (width: number, height: number) => () =>
      apply("sd2", inputs, { a: image({ width, height }) });
    for (const refused of [withSides(1_000, 1_000), withSides(1_000, 950), withSides(720, 760)])
      expectRefusal(refused, "inputs.upscaleResolution", "short side of 1440 px");
    for (const taken of [withSides(1_000, 880), withSides(1_600, 900), withSides(750, 1_000)])
      expect(taken()).toMatchObject({ upscaleResolution: "2k" });
    expect(apply("sd2", { ...inputs, resolution: "1280x720" }, { a: image() })).toBeDefined();
    expect(apply("sd2", { ...inputs, upscaleResolution: "4k" }, { a: image() })).toBeDefined();
  }
});
