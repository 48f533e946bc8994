import { expect, test } from "vitest";
import { createRateLimit, retryAfter } from "../src/kit/rate-limit.ts";
import { createArkLimits } from "../src/vendors/ark/limits.ts";
import { cheap, fastModel, model, sandboxForTest } from "./support.ts";

/** A clock that stands still unless advanced. */
function handClock() {
  let now = 1_000;
  return {
    clock: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

test("so many calls go through in any stretch of a second, the next waits for the oldest", () => {
  const { clock, advance } = handClock();
  const limit = createRateLimit(3, 1_000, clock);
  expect([limit.take(), limit.take()]).toEqual([0, 0]);
  advance(600);
  expect(limit.take()).toBe(0);
  expect(limit.take()).toBe(400);
  advance(399);
  expect(limit.take()).toBe(1); // a refused call counts for nothing
  advance(1);
  expect([limit.take(), limit.take()]).toEqual([0, 0]);
  expect(limit.take()).toBe(600); // the one of the middle is still in the stretch
});

test("Retry-After is in whole seconds and never 0", () => {
  expect([1, 1_000, 1_001, 59_500].map(retryAfter)).toEqual(["1", "1", "2", "60"]);
});

test("Ark takes 600 creates a minute for each model, 20 gets and 20 deletes a second, one list", () => {
  const { clock, advance } = handClock();
  const limits = createArkLimits(clock);
  const passes = (call: () => void, tries: number) => {
    let passed = 0;
    for (let count = 0; count < tries; count++) {
      try {
        call();
        passed++;
      } catch (error) {
        expect(error).toMatchObject({ httpStatus: 429 });
      }
    }
    return passed;
  };
  expect(passes(() => limits.create(model), 700)).toBe(600);
  expect(passes(() => limits.create(fastModel), 700)).toBe(600);
  expect(passes(limits.get, 30)).toBe(20);
  expect(passes(limits.delete, 30)).toBe(20);
  expect(passes(limits.list, 3)).toBe(1);
  advance(1_000);
  expect(passes(limits.get, 30)).toBe(20);
  expect(passes(limits.list, 3)).toBe(1);
  expect(passes(() => limits.create(model), 3)).toBe(0);
  advance(59_000);
  expect(passes(() => limits.create(model), 700)).toBe(600);
});

test("with limits on, one call too many answers 429 in Ark's format with Retry-After", async () => {
  const { clock, advance } = handClock();
  const sandbox = await sandboxForTest({ rateLimits: true }, clock);
  const list = () =>
    fetch(`${sandbox.url}/api/v3/contents/generations/tasks`, {
      headers: { authorization: "Bearer a-key-for-tests" },
    });
  expect((await list()).status).toBe(200);
  const refused = await list();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({
    error: {
      code: "AccountRateLimitExceeded",
      message: expect.stringMatching(/Request id: \w+$/),
      param: "",
      type: "TooManyRequests",
    },
  });
  advance(1_000);
  expect((await list()).status).toBe(200);
});

test("a create over the limit makes no job, and neither do broken creates count", async () => {
  const { clock } = handClock();
  const sandbox = await sandboxForTest({ rateLimits: true }, clock);
  await sandbox.post({});
  const answers = [];
  for (let count = 0; count < 601; count++) answers.push(await sandbox.create(cheap));
  expect(answers.slice(0, 600).every(({ status }) => status === 200)).toBe(true);
  expect(answers[600]).toMatchObject({
    status: 429,
    body: { error: { code: "RateLimitExceeded.EndpointRPMExceeded" } },
  });
  expect((await sandbox.stats()).accepted).toBe(600);
});

test("without the setting there are no limits", async () => {
  const { clock } = handClock();
  const sandbox = await sandboxForTest({}, clock);
  for (let count = 0; count < 30; count++) expect((await sandbox.list()).status).toBe(200);
});
