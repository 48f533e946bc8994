import { expect, test } from "vitest";
import { clientOf, main, settings } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const limit = 10;
const slow = clientOf(settings.keys.slow ?? "");

test.runIf(settings.keys.slow !== null)(
  "a key has so many requests a minute and no more: then a 429 with Retry-After, and every answer says where it stands",
  async () => {
    // One that begins near the end of a minute sees two of them: of two rounds at most one does.
    const answers = [];
    while (answers.length <= 2 * limit) answers.push(await slow.readCredits());
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(limit);
    for (const answer of answers) {
      expect(answer.headers.get("ratelimit-policy")).toBe(`"key";q=${limit};w=60`);
      expect(answer.headers.get("ratelimit")).toMatch(/^"key";r=\d+;t=\d+$/);
    }
    for (const answer of refused) {
      expectRefusal(answer, { status: 429, code: "rate_limited" });
      expect(answer.headers.get("ratelimit")).toContain("r=0");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    }
    expect((await main.readCredits()).status, "another key of the account").toBe(200);
  },
);
