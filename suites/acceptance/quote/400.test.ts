import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";
import { refusedBodies, refusedInputs } from "../src/refused-inputs.ts";

for (const { rule, model, inputs, param } of refusedInputs)
  test(`a quote is refused like its task: ${model}, ${rule} (${param})`, async () => {
    expectInvalid(await main.quote({ model, inputs }), param);
  });

for (const { rule, body, param } of refusedBodies)
  test(`a quote is refused like its task: ${rule} (${param})`, async () => {
    expectInvalid(await main.quote(body), param);
  });
