import { test } from "vitest";
import { clientOf } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";
import { nowhere } from "../src/upscale.ts";

const body = { source: nowhere, targetResolution: "1080p" };

refusesUnauthenticated("upscale/create", "/api/v1/upscale/create", post(body));

test("§7 401 comes before 400: a wrong key with a wrong body is a 401", async () => {
  const answer = await clientOf("wrong").createUpscale({ source: 7 });
  expectRefusal(answer, { status: 401, code: "unauthorized" });
});
