import { test } from "vitest";
import { clientOf } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

const body = { model: "sd2", inputs: { prompt: "A paper boat" } };

refusesUnauthenticated("createTask", "/api/v1/jobs/createTask", post(body));

test("§7 401 comes before 400: a wrong key with a wrong body is a 401", async () => {
  const answer = await clientOf("wrong").createTask({ model: "sd3" });
  expectRefusal(answer, { status: 401, code: "unauthorized" });
});
