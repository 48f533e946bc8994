import { readFile } from "node:fs/promises";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";

test("the OpenAPI document has no fault and no warning under the recommended rules", async () => {
  const path = new URL("../../docs/generated/openapi.json", import.meta.url);
  const document = await readFile(path, "utf8");
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: document, config });
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  );
  expect(found).toEqual([]);
  const broken = document.replace('"operationId": "createTask"', '"x-none": 1');
  expect(await lintFromString({ source: broken, config })).not.toEqual([]);
});
