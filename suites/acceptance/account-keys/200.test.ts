import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

test("the list has the key that reads it, by its beginning and never whole", async () => {
  const answer = await main.get("/api/v1/account/keys?limit=100");
  expect(answer.status).toBe(200);
  const items = answer.body["items"] as { hint: string; status: string }[];
  const own = items.find(({ hint }) => settings.keys.main.startsWith(hint));
  expect(own).toMatchObject({ status: "live", createdAt: expect.any(Number) });
  expect(JSON.stringify(answer.body)).not.toContain(settings.keys.main);
});

test("a key that was not given the scope keys by name makes no other", async () => {
  const answer = await main.post("/api/v1/account/keys", { name: "more" });
  expectRefusal(answer, { status: 403, code: "scope_missing" });
});
