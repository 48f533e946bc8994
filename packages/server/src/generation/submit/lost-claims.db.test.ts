import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { claimOf } from "../../../test/harness/claim-of.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { type Connections, DatabaseUnavailable, type Statement } from "../../db/connections.ts";
import { abandonClaim } from "../../tasks/abandon-claim.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { claimSubmit, listSubmitsOf } from "../../tasks/submit-queries.ts";
import { createTask } from "../create-task.ts";
import { submitJob } from "./submit-job.ts";

/** The number of calls to a vendor that refuses everything. */
let called: number;
let vendor: Server;
let bed: TestBed;
beforeAll(async () => {
  vendor = createServer((request, response) => {
    called += 1;
    request.resume();
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: "InvalidParameter", message: "no" } }));
  });
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const { port } = vendor.address() as AddressInfo;
  const vendors = ["ark", "openai"].map((kind) => ({
    name: kind,
    kind,
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: "none",
  }));
  bed = await openTestBed({ VENDORS: JSON.stringify(vendors) });
});
beforeEach(() => {
  called = 0;
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  vendor.closeAllConnections();
  vendor.close();
});

async function createdTask(model: "sd2" | "image-pro-2" = "sd2") {
  const body = { model, inputs: { prompt: "a fox" } };
  return (await createTask(bed.ctx, await bed.openAccount(), body, null)).taskId;
}

/** Returns the pool with a first claim whose response is lost after the commit. */
function losesClaim(pool: Connections): Connections {
  let isLost = false;
  async function query<Row extends object>(statement: Statement | string, values?: unknown[]) {
    const answer = await pool.query<Row>(statement, values);
    if (isLost || typeof statement === "string" || statement.name !== "claim_submits")
      return answer;
    isLost = true;
    throw new DatabaseUnavailable("no answer");
  }
  return { ...pool, query };
}

for (const model of ["sd2", "image-pro-2"] as const)
  test(`a claim whose answer was lost is given back: the next submit of ${model} calls the vendor, once`, async () => {
    const taskId = await createdTask(model);
    const ctx = { ...bed.ctx, pool: losesClaim(bed.ctx.pool) };
    await expect(submitJob(ctx, taskId)).rejects.toThrow("no answer");
    expect(called).toBe(0);
    expect(await findOpenTask(bed.ctx.db, taskId)).toMatchObject({ submitStartedAt: null });
    await submitJob(ctx, taskId);
    expect(called).toBe(1);
    const outcomes = (await listSubmitsOf(bed.ctx.db, taskId)).map(({ outcome }) => outcome);
    expect(outcomes[0]).toBe("unavailable");
    expect(outcomes).toHaveLength(2);
  });

test("a claim of another worker is not given back", async () => {
  const taskId = await createdTask();
  await claimSubmit(bed.ctx.pool, { ...claimOf(taskId), claimId: randomUUID() });
  expect(await abandonClaim(bed.ctx.pool, { taskId, claimId: randomUUID() })).toBe(false);
  expect((await findOpenTask(bed.ctx.db, taskId))?.submitStartedAt).toBeInstanceOf(Date);
});
