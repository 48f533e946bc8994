import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { ApiError, type RefusalCode } from "../../errors.ts";
import { createSlowRefusals } from "./slow-refusals.ts";

const strangerAt = (ip: string) => ({ ip, headers: {} }) as unknown as FastifyRequest;
const requestOf = (id: string) =>
  ({ ...strangerAt("192.0.2.1"), caller: { id } }) as unknown as FastifyRequest;

/** Returns the number of these that are over before a timer of a millisecond fires. */
async function promptOf(refusals: readonly Promise<void>[]): Promise<number> {
  let count = 0;
  for (const one of refusals) void one.then(() => count++);
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

function refuse(times: number, code: RefusalCode, request: FastifyRequest) {
  const delay = createSlowRefusals();
  return Array.from({ length: times }, () => delay(new ApiError(code), request));
}

test("the first refusals are answered at once, and from then on each later than the one before", async () => {
  const order: number[] = [];
  const refusals = refuse(34, "concurrency_limit", requestOf("a"));
  refusals.forEach((one, index) => void one.then(() => order.push(index)));
  expect(await promptOf(refusals)).toBe(30);
  await Promise.all(refusals);
  expect(order).toEqual(Array.from({ length: 34 }, (_, index) => index));
});

test.each<[RefusalCode, "account" | "stranger", number]>([
  ["rate_limited", "account", 30],
  ["account_busy", "account", 30],
  ["too_many_requests", "account", 30],
  ["invalid_parameters", "account", 31],
  ["service_unavailable", "account", 31],
  ["rate_limited", "stranger", 30],
  ["unauthorized", "stranger", 31],
  ["not_found", "stranger", 31],
  ["service_unavailable", "stranger", 31],
])("of 31 times %s to an %s, %i are answered at once", async (code, who, count) => {
  const refusals = refuse(31, code, who === "account" ? requestOf("a") : strangerAt("192.0.2.1"));
  expect(await promptOf(refusals)).toBe(count);
  await Promise.all(refusals);
});

test("nobody waits for the refusals of another", async () => {
  const delay = createSlowRefusals();
  const of = (request: FastifyRequest) => delay(new ApiError("rate_limited"), request);
  const flood = Array.from({ length: 40 }, () => of(requestOf("a")));
  expect(await promptOf([of(requestOf("b")), of(strangerAt("192.0.2.1"))])).toBe(2);
  await Promise.all(flood);
});
