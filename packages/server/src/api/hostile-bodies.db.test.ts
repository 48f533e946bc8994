import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { hostileBody } from "../../test/harness/hostile-bodies.ts";
import { scaled } from "../../test/harness/scale.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { buildApi } from "./build-api.ts";

const bodyCount = scaled(4_000, 20_000);
const allowed = ["200", "replayed", "402 price_above_max", "422 idempotency_key_reused"];

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ REQUESTS_PER_MINUTE_MAX: "1000000" });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

test(`of ${bodyCount} hostile bodies none is a 5xx, every 400 names a field, and only what is accepted leaves rows`, async () => {
  const account = await bed.openAccount({ credits: 100_000_000, openTasksMax: 1_000_000 });
  const seen: Record<string, number> = {};
  const keys = new Set<string>();
  const property = fc.asyncProperty(
    hostileBody,
    fc.option(fc.integer({ min: 0, max: 1_000_000 })),
    async (payload, number) => {
      const key = number === null ? null : `key ${number}`;
      const response = await api.inject({
        method: "POST",
        url: "/api/v1/jobs/createTask",
        headers: withoutUndefined({
          authorization: `Bearer ${account.key}`,
          "content-type": "application/json",
          "idempotency-key": key ?? undefined,
        }),
        payload,
      });
      const answer: { code?: string; param?: string; message?: string } = response.json();
      const isReplay = response.headers["idempotent-replayed"] === "true";
      const name = isReplay ? "replayed" : `${response.statusCode} ${answer.code ?? ""}`.trim();
      seen[name] = (seen[name] ?? 0) + 1;
      if (response.statusCode === 200 && key !== null) keys.add(key);
      if (response.statusCode === 400) {
        expect(answer.param).not.toHaveLength(0);
        expect(answer.message).toContain(`${answer.param}: `);
      } else expect(allowed).toContain(name);
    },
  );
  await fc.assert(property, { numRuns: bodyCount });

  expect(Object.values(seen).reduce((sum, count) => sum + count, 0)).toBe(bodyCount);
  const accepted = seen["200"] ?? 0;
  expect(accepted).toBeGreaterThan(bodyCount / 100); // a check that accepts nothing proves nothing
  expect(seen["400 invalid_parameters"]).toBeGreaterThan(bodyCount / 2);
  const [rows] = await bed.database.sql(`select
    (select count(*) from tasks)::int as tasks, (select count(*) from open_tasks)::int as open,
    (select count(*) from transfers where kind = 'hold')::int as holds,
    (select count(*) from entries where kind = 'hold')::int as entries,
    (select count(*) from idempotency_keys)::int as keys`);
  expect(rows).toEqual({
    tasks: accepted,
    open: accepted,
    holds: accepted,
    entries: 2 * accepted,
    keys: keys.size,
  });
  await checkMoney(bed.database);
});
