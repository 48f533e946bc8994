import { expect, test } from "vitest";
import { unknownSettings } from "./engine-settings.ts";
import { readCompose } from "./render.ts";

test("the engine knows every setting that compose.yaml gives it", async () => {
  const { services } = (await readCompose("compose.yaml")) as {
    services: { engine: { environment: Record<string, string> } };
  };
  expect(await unknownSettings(services.engine.environment)).toEqual([]);
  expect(await unknownSettings({ RESTATE_WORKER__SNAPSHOTS__DESTINATON: "s3://a/b" })).toEqual([
    "RESTATE_WORKER__SNAPSHOTS__DESTINATON",
  ]);
});
