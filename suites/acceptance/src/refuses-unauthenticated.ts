import type { Answer } from "@zoetrope/testkit/api-client.ts";
import { test } from "vitest";
import { send, settings } from "./client.ts";
import { expectRefusal } from "./expect-refusal.ts";

const valid = settings.keys.main;
const lastLetterChanged = `${valid.slice(0, -1)}${valid.endsWith("a") ? "b" : "a"}`;

const callers: readonly [who: string, authorization: string | undefined][] = [
  ["no Authorization header", undefined],
  ["an empty Authorization header", ""],
  ["'Bearer' without a key", "Bearer "],
  ["a key without 'Bearer'", valid],
  ["a key as 'Basic'", `Basic ${valid}`],
  ["a key that never was one", "Bearer not-a-key"],
  ["a key with its last letter changed", `Bearer ${lastLetterChanged}`],
];

/** The tests that every endpoint with a key shares. */
export function refusesUnauthenticated(
  endpoint: string,
  path: string,
  init: RequestInit = {},
): void {
  for (const [who, authorization] of callers)
    test(`§5 ${endpoint} with ${who} is a 401`, async () => {
      const answer = await sendAs(authorization, path, init);
      expectRefusal(answer, { status: 401, code: "unauthorized" });
    });
}

function sendAs(authorization: string | undefined, path: string, init: RequestInit) {
  const headers = new Headers(init.headers);
  if (authorization !== undefined) headers.set("authorization", authorization);
  return send(path, { ...init, headers }) satisfies Promise<Answer>;
}

/** A POST with a JSON body and no key. */
export function post(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
