import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

test("a body of two megabytes is a 413", async () => {
  const inputs = { prompt: "boat ".repeat(400_000) };
  const answer = await main.createTask({ model: "sd2", inputs });
  expectRefusal(answer, { status: 413, code: "body_too_large" });
});
