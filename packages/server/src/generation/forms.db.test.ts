import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filledIn, formsOf, isRefused, type Media } from "../../test/harness/form.ts";
import { insertAsset } from "../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let authorization: string;
beforeAll(async () => {
  bed = await openTestBed({ REQUESTS_PER_MINUTE_MAX: "1000000" });
  api = await buildApi(bed.ctx);
  const { id: accountId, key } = await bed.openAccount();
  authorization = `Bearer ${key}`;
  for (const [name, facts] of Object.entries(assets))
    await insertAsset(bed.database, { accountId, upstreamAssetId: assetOf(name), ...facts });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const assetOf = (name: string) => `asset-20260101000000-${name}`;
/** The image is between 4:3 and 1:1: no upscale is refused for the shape of its first frame. */
const assets = {
  image: { type: "IMAGE", contentType: "image/png", width: 600, height: 500, durationMs: null },
  video: { type: "VIDEO", videoCodec: "h264" },
  audio: { type: "AUDIO", contentType: "audio/mpeg", width: null, height: null },
} as const;
const fileOf = (source: Media["sources"][number], { type }: Media) =>
  source === "asset" ? `asset://${assetOf(type)}` : `${source}://example.com/${type}`;

function readModels(headers: Record<string, string> = {}) {
  return api.inject({ url: "/api/v1/models", headers: { authorization, ...headers } });
}

interface Listed {
  model: string;
  title: string;
  summary: string;
  modes: { mode: string; title: string; description: string; when: string }[];
  inputs: { anyOf: { "x-title": string }[] };
  prices: { formula: string };
}
const listed = async (headers?: Record<string, string>) =>
  (await readModels(headers)).json<{ models: Listed[] }>().models;

test.each(["en", "zh"])(
  "quote accepts what is filled into a form made of the catalogue in %s, for every mode of every model",
  async (language) => {
    const models = await listed({ "accept-language": language });
    for (const { model, inputs } of models)
      for (const form of formsOf(inputs)) {
        const fillings = filledIn(form, fileOf).filter((filled) => !isRefused(form, filled));
        for (const filled of fc.sample(fillings, 5)) {
          const answer = await api.inject({
            method: "POST",
            url: "/api/v1/jobs/quote",
            headers: { authorization },
            payload: { model, inputs: filled },
          });
          expect(answer.statusCode, `${model} ${JSON.stringify(filled)} ${answer.payload}`).toBe(
            200,
          );
          expect(answer.json().credits).toBeGreaterThan(0);
        }
      }
  },
);

test("the catalogue is in the language that the client asks for, and says which that is", async () => {
  const han = /\p{Script=Han}/u;
  for (const [header, tag, isChinese] of [
    [undefined, "en", false],
    ["fr", "en", false],
    ["en-GB,zh;q=0.5", "en", false],
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN", true],
  ] as const) {
    const answer = await readModels(header === undefined ? {} : { "accept-language": header });
    expect(answer.headers["content-language"]).toBe(tag);
    expect(answer.headers.vary).toBe("Accept-Encoding, Accept-Language");
    for (const { summary, modes, inputs, prices } of answer.json<{ models: Listed[] }>().models) {
      const texts = modes.flatMap(({ title, description, when }) => [title, description, when]);
      for (const text of [summary, prices.formula, ...texts])
        expect(han.test(text), text).toBe(isChinese);
      expect(inputs.anyOf.map((form) => form["x-title"])).toEqual(modes.map(({ title }) => title));
    }
  }
});

test("each language has its own ETag: a client that changes its language downloads the catalogue again", async () => {
  const english = String((await readModels()).headers.etag);
  const chinese = String((await readModels({ "accept-language": "zh" })).headers.etag);
  expect(chinese).not.toBe(english);
  const known = { "if-none-match": chinese, "accept-language": "zh-TW" };
  const same = await readModels(known);
  expect([same.statusCode, same.payload]).toEqual([304, ""]);
  expect(same.headers.vary).toContain("Accept-Language");
  const other = await readModels({ "if-none-match": chinese });
  expect([other.statusCode, other.headers["content-language"]]).toEqual([200, "en"]);
});

test("the OpenAPI document has the same schemas as the English catalogue", async () => {
  const { schemas } = (await api.inject("/openapi.json")).json().components;
  const [sd2] = await listed();
  expect(sd2?.model).toBe("sd2");
  const { title, ...reference } = { title: "", ...sd2?.inputs.anyOf.at(-1) };
  expect(title).toBe("reference");
  expect(schemas.Sd2ReferenceInput).toEqual(reference);
});
