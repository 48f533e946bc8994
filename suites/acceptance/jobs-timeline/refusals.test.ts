import { test } from "vitest";
import { main, other } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

const path = "/api/v1/jobs/timeline";
refusesUnauthenticated("jobs/timeline", `${path}?taskId=1`);

test("without a taskId it is a 400", async () => {
  expectInvalid(await main.get(path), "taskId");
});

test("an unknown task is a 404, another account's a 403", async () => {
  const missing = { status: 404, code: "task_not_found" };
  expectRefusal(await main.get(`${path}?taskId=none`), missing);
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  const foreign = { status: 403, code: "access_denied" };
  expectRefusal(await other.get(`${path}?taskId=${taskId}`), foreign);
});
