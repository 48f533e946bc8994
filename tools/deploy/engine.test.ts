import { expect, test } from "vitest";
import { readCompose } from "./compose-file.ts";
import { unknownSettings } from "./engine-settings.ts";

test("the engine knows every setting that compose.yaml gives it", async () => {
  const { services } = (await readCompose("compose.yaml")) as {
    services: { engine: { environment: Record<string, string> } };
  };
  expect(await unknownSettings(services.engine.environment)).toEqual([]);
  expect(await unknownSettings({ RESTATE_WORKER__SNAPSHOTS__DESTINATON: "s3://a/b" })).toEqual([
    "RESTATE_WORKER__SNAPSHOTS__DESTINATON",
  ]);
});
