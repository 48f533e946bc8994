import { test } from "vitest";
import { main, other, settings } from "../src/client.ts";
import { freePrompt } from "../src/examples.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("delete media", "/api/v1/jobs/media?taskId=1", { method: "DELETE" });

test("an unknown task is a 404", async () => {
  expectRefusal(await main.deleteMedia("no-such-task"), { status: 404, code: "task_not_found" });
});

test("another account's task is a 403", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  expectRefusal(await other.deleteMedia(taskId), { status: 403, code: "access_denied" });
});

test.runIf(settings.hasSandbox)("a running task is a 409", async () => {
  const prompt = `${freePrompt} [sandbox:slow=30]`;
  const taskId = await main.create("sd2", { prompt, duration: "4s" });
  expectRefusal(await main.deleteMedia(taskId), { status: 409, code: "task_not_over" });
});
