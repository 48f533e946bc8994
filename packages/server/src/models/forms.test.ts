import fc from "fast-check";
import { assert, expect, test } from "vitest";
import { filledIn, formsOf, isRefused, type Media, wrongValueOf } from "../../test/harness/form.ts";
import { ApiError, languages } from "../errors.ts";
import { contentTypes } from "../media/probe/sniff.ts";
import { type AssetFacts, faultOfMedia } from "./asset-rules.ts";
import { models } from "./catalogue.ts";
import { controls } from "./fields.ts";
import { type FileInput, mediaTypes } from "./file-rules.ts";
import { inputsSchemaOf } from "./inputs-schema.ts";
import { planRequest } from "./plan-request.ts";

/** Returns the schema as a client reads it. */
const published = (model: (typeof models)[number], language: (typeof languages)[number]) =>
  JSON.parse(JSON.stringify(inputsSchemaOf(model, language)));

const forms = models.flatMap((model) =>
  formsOf(published(model, "en")).map((form) => ({
    name: `${model.name} ${form.mode}`,
    model,
    form,
  })),
);
const runs = { numRuns: 200 };

/** The parameter that is refused; `null` if all is accepted. */
function refusedOf(model: (typeof models)[number], inputs: object) {
  try {
    return { mode: planRequest(model, inputs).mode, param: null };
  } catch (error) {
    assert(error instanceof ApiError, String(error));
    return { mode: null, param: error.param };
  }
}

test("there is a form for each of the 15 modes, and every control is used", () => {
  expect(forms).toHaveLength(15);
  const used = new Set(forms.flatMap(({ form }) => form.fields.map((one) => one["x-control"])));
  expect([...used].sort()).toEqual([...controls].sort());
});

test.each(forms)(
  "$name: every way to fill the form in is accepted in that mode, but for combinations that the form refuses",
  ({ model, form }) => {
    fc.assert(
      fc.property(filledIn(form), (filled) => {
        const answer = refusedOf(model, filled);
        if (isRefused(form, filled)) expect(answer.param).toBe("inputs.upscaleResolution");
        else expect(answer).toEqual({ mode: form.mode, param: null });
      }),
      runs,
    );
  },
);

test.each(forms)(
  "$name: a value that the form excludes is not accepted, and is named",
  ({ model, form }) => {
    const shown = form.fields.filter((field) => field["x-control"] !== "unused");
    const changed = fc.tuple(
      filledIn(form).filter((filled) => !isRefused(form, filled)),
      fc.constantFrom(...shown).chain((field) => fc.tuple(fc.constant(field), wrongValueOf(field))),
    );
    fc.assert(
      fc.property(changed, ([filled, [field, value]]) => {
        const { mode, param } = refusedOf(model, { ...filled, [field.name]: value });
        expect(mode).not.toBe(form.mode); // two images of a mode that takes one may select another
        if (mode === null) expect(param).toMatch(new RegExp(`^inputs\\.${field.name}\\b`));
      }),
      runs,
    );
  },
);

test.each(forms)("$name: nothing that the form requires may be left out", ({ model, form }) => {
  const required = form.fields.filter(({ isRequired }) => isRequired);
  fc.assert(
    fc.property(filledIn(form), (filled) => {
      for (const { name } of required) {
        const { [name]: _, ...others } = filled;
        expect(refusedOf(model, others).mode, name).not.toBe(form.mode);
      }
      const none = Object.fromEntries(form.requiresAny.map((name) => [name, []]));
      if (form.requiresAny.length > 0)
        expect(refusedOf(model, { ...filled, ...none }).mode).toBeNull();
    }),
    { numRuns: 20 },
  );
});

test("more files than a form takes in all are refused", () => {
  const limited = forms.filter(({ form }) => Number.isFinite(form.filesMax));
  expect(limited.map(({ name }) => name)).toEqual(["sd2 reference", "sd2-fast reference"]);
  for (const { model, form } of limited) {
    const [filled] = fc.sample(filledIn(form), 1);
    const most = form.fields.flatMap((field) =>
      field["x-control"] === "files" ? [[field.name, filesFor(field["x-media"])]] : [],
    );
    const inputs = { ...filled, ...Object.fromEntries(most), upscaleResolution: null };
    expect(most.flatMap(([, files]) => files).length).toBeGreaterThan(form.filesMax);
    expect(refusedOf(model, inputs).param).toBe("inputs.audioUrls");
  }
});

const filesFor = ({ countMax, type }: Media) =>
  Array.from({ length: countMax }, () => `asset://asset-20260101000000-${type}`);

test("a form is the same in every language but for its texts, which are all there", () => {
  const words = [
    "title",
    "description",
    "x-title",
    "x-description",
    "x-help",
    "x-labels",
    "titles",
  ];
  for (const model of models) {
    const read = languages.map((language) => {
      const texts: string[] = [];
      const rest = JSON.stringify(published(model, language), (key, value: unknown) => {
        if (!words.includes(key)) return value;
        texts.push(...(typeof value === "string" ? [value] : Object.values(value ?? {})));
        return "";
      });
      return { language, texts, rest };
    });
    const [english, chinese] = read;
    assert(english !== undefined && chinese !== undefined);
    expect(chinese.rest).toBe(english.rest);
    expect(chinese.texts).toHaveLength(english.texts.length);
    for (const text of [...english.texts, ...chinese.texts]) expect(text.trim()).not.toBe("");
    expect(english.texts.filter((text) => /\p{Script=Han}/u.test(text))).toEqual([]);
  }
});

test("every input of every mode has its own place, and a title and a description in Chinese", () => {
  for (const model of models)
    for (const { mode, fields } of formsOf(published(model, "zh"))) {
      const where = `${model.name} ${mode}`;
      const orders = fields.map((field) => field["x-order"]);
      expect(new Set(orders).size, where).toBe(orders.length);
      expect(
        Object.keys(model.modes.find(({ name }) => name === mode)?.inputs.shape ?? {}).sort(),
      ).toEqual(fields.map(({ name }) => name).sort());
      for (const { name, title, description } of fields)
        for (const text of [title, description])
          expect(text, `${where} ${name}`).toMatch(/\p{Script=Han}/u);
    }
});

const fileFields = forms.flatMap(({ name, model, form }) =>
  form.fields.flatMap((field) =>
    field["x-control"] === "files"
      ? [{ name: `${name} ${field.name}`, model, mode: form.mode, field, media: field["x-media"] }]
      : [],
  ),
);

test.each(fileFields)(
  "$name: a file at every limit of the form is accepted, and beyond any of them it is not",
  ({ model, mode, field, media }) => {
    const fault = (facts: Omit<AssetFacts, "status">) =>
      faultOfMedia(model, mode, field.name as FileInput, facts);
    const good = factsAt(media);
    for (const contentType of media.mediaTypes) expect(fault({ ...good, contentType })).toBeNull();
    const others = Object.values(mediaTypes[good.type]).filter(
      (type) => !media.mediaTypes.includes(type),
    );
    for (const contentType of others) expect(fault({ ...good, contentType })).not.toBeNull();
    for (const [limit, facts] of Object.entries(beyond(media, good)))
      if (limit in media) expect(fault(facts), limit).not.toBeNull();
  },
);

function factsAt({ type, mediaTypes: types, ...limits }: Media): Omit<AssetFacts, "status"> {
  const width = limits.shortSidePixelsMin ?? 64;
  const height = Math.min(width * (limits.ratioMax ?? 2), limits.longSidePixelsMax ?? 1e9);
  return {
    type: type.toUpperCase() as AssetFacts["type"],
    contentType: types[0] ?? null,
    sizeBytes: limits.sizeBytesMax ?? 1,
    width,
    height,
    durationMs: type === "image" ? null : (limits.durationSecondsMax ?? 1) * 1_000,
    videoCodec: limits.videoCodecs?.[0] ?? null,
  };
}

type Limit = Exclude<keyof Media, number | "type" | "titles">;
function beyond(media: Media, good: Omit<AssetFacts, "status">) {
  const { shortSidePixelsMin: short = 0, longSidePixelsMax: long = 0, ratioMax = 1 } = media;
  const width = Math.max(short, 64);
  return {
    sizeBytesMax: { ...good, sizeBytes: (media.sizeBytesMax ?? 0) + 1 },
    shortSidePixelsMin: { ...good, width: short - 1, height: short - 1 },
    longSidePixelsMax: { ...good, width: long + 1, height: long + 1 },
    ratioMax: { ...good, width, height: Math.floor(width * ratioMax) + 1 },
    durationSecondsMax: { ...good, durationMs: (media.durationSecondsMax ?? 0) * 1_000 + 1 },
    videoCodecs: { ...good, videoCodec: "av1" },
  } satisfies Partial<Record<Limit, Omit<AssetFacts, "status">>>;
}

test("the media types of the forms are those that files are recognised as", () => {
  const known = Object.values(mediaTypes).flatMap((types) => Object.values(types));
  expect(known.toSorted()).toEqual(Object.values(contentTypes).toSorted());
});
