import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Zoetrope } from "./zoetrope.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = { status: number; body?: object; headers?: Record<string, string> } | "cut off";

const pending = { status: 200, body: { status: "PENDING" }, headers: { etag: '"1"' } };
const completed = { status: 200, body: { status: "COMPLETED" }, headers: { etag: '"2"' } };
const unchanged = { status: 304, headers: { etag: '"1"', "preference-applied": "wait=50" } };
const withoutStream: Answer = { status: 503, body: { code: "streams_full" } };

/** Waits for a task of a service that has no streams and gives these responses, one after the other. */
async function waitThrough(answers: readonly Answer[]): Promise<unknown> {
  const left = [...answers];
  const fetchNext: typeof fetch = async (_url, init) => {
    const isStream = new Headers(init?.headers).get("accept") === "text/event-stream";
    const answer = isStream ? withoutStream : left.shift();
    if (answer === undefined || answer === "cut off") throw new TypeError("fetch failed");
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers: answer.headers ?? {} });
  };
  const baseUrl = "https://media.example.com";
  const client = new Zoetrope({ baseUrl, apiKey: "zoe_test_none", fetch: fetchNext });
  const ended = client.tasks.wait("one").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  return ended;
}

test("waiting goes on while its requests are refused for a reason that passes", async () => {
  const refusals = [
    { status: 429, body: { code: "rate_limited" }, headers: { "retry-after": "60" } },
    { status: 429, body: { code: "too_many_requests" } },
    { status: 408, body: { code: "request_timeout" } },
    { status: 503, body: { code: "service_unavailable" } },
  ];
  expect(await waitThrough([pending, ...refusals, completed])).toMatchObject(completed.body);
  const revoked = { status: 401, body: { code: "unauthorized" } };
  expect(await waitThrough([pending, revoked])).toMatchObject({ code: "unauthorized" });
});

test("only failures in a row end the waiting, not those of a whole day", async () => {
  const hours = Array.from({ length: 30 }, (): Answer[] => ["cut off", unchanged]).flat();
  expect(await waitThrough([pending, ...hours, completed])).toMatchObject(completed.body);
  const inARow = Array.from({ length: 30 }, (): Answer => "cut off");
  expect(await waitThrough([pending, ...inARow, completed])).toMatchObject({ code: "no_answer" });
});
