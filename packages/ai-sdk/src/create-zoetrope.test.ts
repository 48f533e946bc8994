import { NoSuchModelError } from "@ai-sdk/provider";
import { createProviderRegistry, experimental_generateVideo as generateVideo } from "ai";
import { expect, test } from "vitest";
import { createZoetrope } from "./create-zoetrope.ts";

test("models are found by name in a registry; others are no models of this provider", () => {
  const zoetrope = createZoetrope({
    baseUrl: "https://media.example.com",
    apiKey: "zoe_test_none",
  });
  const registry = createProviderRegistry({ zoetrope });
  expect(registry.videoModel("zoetrope:sd2")).toMatchObject({ modelId: "sd2" });
  expect(registry.imageModel("zoetrope:image-pro-2")).toMatchObject({ modelId: "image-pro-2" });
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
