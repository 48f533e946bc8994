import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, onTestFinished, test } from "vitest";
import { agentCreditsMax, createMoreKeys } from "../src/first-keys.ts";
import { startStack } from "../src/stack.ts";

test("the key that dev prints creates keys; the others are a test key and one with a budget", async () => {
  const scratch = await makeScratch("first-keys");
  onTestFinished(() => scratch.remove());
  await using stack = await startStack({ dir: scratch.path });
  const { key } = await stack.openAccount({ name: "first account", credits: 1_000 });
  const more = await createMoreKeys(stack, key);
  const read = async (own: string) => {
    const headers = { authorization: `Bearer ${own}` };
    const response = await fetch(`${stack.apiUrl}/api/v1/account/key`, { headers });
    return (await response.json()) as { mode: string; scopes: string[] | null; creditsMax: number };
  };
  const scopes = ["tasks", "assets", "webhooks", "account", "keys"];
  expect(await read(key)).toMatchObject({ mode: "live", scopes });
  expect(await read(more.test)).toMatchObject({ mode: "test", creditsMax: null });
  expect(await read(more.agent)).toMatchObject({ mode: "live", creditsMax: agentCreditsMax });
});
