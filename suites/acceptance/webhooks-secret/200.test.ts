import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { readSecret } from "../src/webhooks.ts";

test("the secret is one of the Standard Webhooks, stays the same, and is the account's own", async () => {
  const { secret } = await readSecret(main);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect((await readSecret(main)).secret).toBe(secret);
  expect((await readSecret(other)).secret).not.toBe(secret);
});
