import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { renderSdkTypes, typesPath } from "./write-sdk-types.ts";

test("the types of the SDK are those of the OpenAPI document; if not, run `npm run sdk-types`", async () => {
  expect(await readFile(typesPath, "utf8")).toBe(await renderSdkTypes());
});
