import { expect, test } from "vitest";
import { send } from "../src/client.ts";

test("the reference is a public page", async () => {
  const answer = await send("/reference/");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
});

test("the reference loads nothing from elsewhere", async () => {
  const { text } = await send("/reference/");
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
});
