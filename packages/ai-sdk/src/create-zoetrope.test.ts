import { NoSuchModelError } from "@ai-sdk/provider";
import { createProviderRegistry, experimental_generateVideo as generateVideo } from "ai";
import { expect, test } from "vitest";
import { createZoetrope } from "./create-zoetrope.ts";

test("a setting that there is not is refused by name", () => {
  const misspelt = { baseURL: "https://media.example.com" };
  // @ts-expect-error: it is baseUrl
  expect(() => createZoetrope(misspelt)).toThrow("baseURL is not a setting");
});

test("models are found by name in a registry, also newer ones; those of another kind are none", () => {
  const zoetrope = createZoetrope({
    baseUrl: "https://media.example.com",
    apiKey: "zoe_test_none",
  });
  const registry = createProviderRegistry({ zoetrope });
  expect(registry.videoModel("zoetrope:sd2")).toMatchObject({ modelId: "sd2" });
  expect(registry.imageModel("zoetrope:image-pro-2")).toMatchObject({ modelId: "image-pro-2" });
  expect(registry.videoModel("zoetrope:newer")).toMatchObject({ modelId: "newer" });
  expect(registry.imageModel("zoetrope:newer")).toMatchObject({ modelId: "newer" });
  for (const find of [
    () => zoetrope.videoModel("image-pro-2"),
    () => zoetrope.imageModel("sd2"),
    () => zoetrope.languageModel("sd2"),
    () => zoetrope.embeddingModel("sd2"),
  ])
    expect(find).toThrow(NoSuchModelError);
  const lost = createZoetrope({ apiKey: "zoe_test_none" }).video("sd2");
  return expect(generateVideo({ model: lost, prompt: "a fox" })).rejects.toThrow(
    "ZOETROPE_BASE_URL",
  );
});
