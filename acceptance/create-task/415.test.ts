import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const body = { model: "sd2", inputs: { prompt: "A paper boat" } };

for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
  test(`§4 request bodies are JSON: ${type} is a 415`, async () => {
    const answer = await main.createTask(body, { "content-type": type });
    expectRefusal(answer, { status: 415, code: "unsupported_media_type" });
  });
