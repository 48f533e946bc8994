import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { changeLimit } from "../admin/grant-limit/change-limit.ts";
import { createLog } from "../log.ts";
import { startApi } from "./start-api.ts";

const root = { kind: "command", user: "root", address: null, requestId: null } as const;

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

/** The warnings about grants of an api that starts. */
async function start(isProduction: boolean, grantApprovalAbove: number | null = null) {
  const lines: string[] = [];
  const { config } = bed.ctx;
  const { app } = await startApi([
    {
      ...bed.ctx,
      log: createLog("info", "api", { write: (line) => lines.push(line) }),
      config: {
        ...config,
        isProduction,
        admin: { ...config.admin, grantApprovalAbove },
        api: { ...config.api, port: 0 },
      },
    },
  ]);
  await app.close();
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === "grants.unlimited");
}

test("in production an api that starts without a limit of grants says so once, with what sets one", async () => {
  expect(await start(false)).toEqual([]);
  expect(await start(true)).toMatchObject([
    { level: 40, reason: expect.stringContaining("GRANT_APPROVAL_ABOVE") },
  ]);
  expect(await start(true, 1_000)).toEqual([]);
  expect(await start(true)).toEqual([]); // the limit is in the database
  await bed.database.sql("delete from grant_limits");
  await changeLimit(bed.ctx, root, null);
  // The setting is the first limit only, and one was set: none.
  const [line] = await start(true, 1_000);
  expect(line?.["reason"]).toContain("zoetrope admin grant-limit set");
});
