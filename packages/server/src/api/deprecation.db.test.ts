import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { models } from "../models/catalogue.ts";
import { deprecated, deprecationHeaders } from "../models/deprecation.ts";
import type { Model } from "../models/model.ts";
import { buildApi } from "./build-api.ts";

const ofModel = {
  since: "2027-01-31",
  sunset: "2027-08-31",
  link: "https://docs.example/sd2-fast",
};
const ofParameter = {
  since: "2027-03-01",
  sunset: "2027-12-31",
  link: "https://docs.example/generate-audio",
};
const modelHeaders = {
  deprecation: "@1801353600",
  sunset: "Tue, 31 Aug 2027 00:00:00 GMT",
  link: '<https://docs.example/sd2-fast>; rel="deprecation"',
};

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let key: string;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi({ ...bed.ctx, models: models.map(goingAway) });
  ({ key } = await bed.openAccount({ openTasksMax: 100 }));
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

/** Deprecates sd2-fast and the parameter generateAudio of sd2, because no real model is deprecated. */
function goingAway(model: Model): Model {
  if (model.name === "sd2-fast") return { ...model, deprecation: ofModel };
  if (model.name !== "sd2") return model;
  const modes = model.modes.map((mode) => {
    const { generateAudio } = mode.inputs.shape;
    if (!(generateAudio instanceof z.ZodType)) throw new Error("sd2 has no generateAudio");
    const without = { generateAudio: deprecated(generateAudio, ofParameter) };
    return { ...mode, inputs: mode.inputs.extend(without) };
  });
  return { ...model, modes };
}

async function headersOf(path: string, model: string, more: object = {}) {
  const answer = await api.inject({
    method: "POST",
    url: `/api/v1/jobs/${path}`,
    headers: { authorization: `Bearer ${key}` },
    payload: { model, inputs: { prompt: "a fox", ...more } },
  });
  const { deprecation, sunset, link } = answer.headers;
  return { status: answer.statusCode, deprecation, sunset, link };
}

test.each(["createTask", "quote"])(
  "%s with a model that goes away says when, and where to read on",
  async (path) => {
    expect(await headersOf(path, "sd2-fast")).toEqual({ status: 200, ...modelHeaders });
    const refused = await headersOf(path, "sd2-fast", { duration: "99s" });
    expect(refused).toEqual({ status: 400, ...modelHeaders });
  },
);

test.each(["createTask", "quote"])(
  "%s says so of a parameter that goes away, only when it is used",
  async (path) => {
    const none = { status: 200, deprecation: undefined, sunset: undefined, link: undefined };
    expect(await headersOf(path, "sd2")).toEqual(none);
    expect(await headersOf(path, "sd2", { generateAudio: null })).toEqual(none);
    expect(await headersOf(path, "happyhorse")).toEqual(none);
    expect(await headersOf(path, "sd2", { generateAudio: false })).toEqual({
      status: 200,
      deprecation: "@1803859200",
      sunset: "Fri, 31 Dec 2027 00:00:00 GMT",
      link: '<https://docs.example/generate-audio>; rel="deprecation"',
    });
  },
);

test("of several announcements the earliest dates count, and every link is there", () => {
  expect(deprecationHeaders([ofParameter, ofModel])).toEqual({
    ...modelHeaders,
    link: '<https://docs.example/generate-audio>; rel="deprecation", <https://docs.example/sd2-fast>; rel="deprecation"',
  });
});

test("the catalogue and the OpenAPI document name what goes away", async () => {
  const authorization = `Bearer ${key}`;
  const { models } = (
    await api.inject({ url: "/api/v1/models", headers: { authorization } })
  ).json();
  const found = (name: string) => models.find(({ model }: { model: string }) => model === name);
  expect(found("sd2-fast").deprecation).toEqual(ofModel);
  expect(found("sd2").deprecation).toBeNull();
  const [mode] = found("sd2").inputs.anyOf;
  expect(mode.properties.generateAudio).toMatchObject({
    deprecated: true,
    "x-deprecation": ofParameter,
  });
  const { schemas } = (await api.inject({ url: "/openapi.json" })).json().components;
  expect(schemas.Sd2FastTaskInput.deprecated).toBe(true);
  expect(schemas.Sd2TaskInput.deprecated).toBeUndefined();
  expect(schemas.Sd2TextToVideoInput.properties.generateAudio.deprecated).toBe(true);
});
