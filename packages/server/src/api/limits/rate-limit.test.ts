import type { FastifyReply } from "fastify";
import { expect, test, vi } from "vitest";
import { keyNamed } from "../../../test/harness/named-ids.ts";
import { createRateLimit } from "./rate-limit.ts";

test("a new window never says that it lasts longer than it does", () => {
  const limitRate = createRateLimit(10);
  const headers = new Set<string>();
  const reply = {
    header: (name: string, value: string) => name === "RateLimit" && headers.add(value),
  };
  const clock = vi.spyOn(performance, "now");
  for (let n = 0; n < 1_000; n++) {
    clock.mockReturnValue(5_500 + n * 60.123_456_789);
    limitRate(
      { kind: "key", id: keyNamed(`key ${n}`), requestsPerMinuteMax: null },
      reply as unknown as FastifyReply,
    );
  }
  clock.mockRestore();
  expect([...headers]).toEqual(['"key";r=9;t=60']);
});
