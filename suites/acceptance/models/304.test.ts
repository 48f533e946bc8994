import { expect, test } from "vitest";
import { main } from "../src/client.ts";

const path = "/api/v1/models";

async function etag(): Promise<string> {
  return (await main.get(path)).headers.get("etag") ?? "";
}

test("If-None-Match with the ETag is a 304 without a body", async () => {
  const now = await etag();
  const answer = await main.get(path, { "if-none-match": now });
  expect(answer.status).toBe(304);
  expect(answer.text).toBe("");
  expect(answer.headers.get("etag")).toBe(now);
});

test("If-None-Match may name several, weakly too", async () => {
  const answer = await main.get(path, { "if-none-match": `"old", W/${await etag()}` });
  expect(answer.status).toBe(304);
});

test("If-None-Match with another ETag is a 200", async () => {
  expect((await main.get(path, { "if-none-match": '"old"' })).status).toBe(200);
});
