import type { KyselyPlugin, RootOperationNode } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillQueue } from "../../../test/harness/review-bed.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { inTransaction } from "../../db/database.ts";
import { claimNext, listQueue } from "./queue.ts";
import { readQueueDetails } from "./queue-details.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

interface Plan {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: Plan[];
}

/** Runs statements under `explain analyze`, and keeps their plans. */
function explaining(plans: Plan[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      if (node.kind !== "RawNode") return node;
      const [first = "", ...rest] = node.sqlFragments;
      const sqlFragments = [`explain (analyze, format json) ${first}`, ...rest];
      return { ...node, sqlFragments } as RootOperationNode;
    },
    transformResult: async ({ result }) => {
      for (const row of result.rows as { "QUERY PLAN": { Plan: Plan }[] }[])
        plans.push(...row["QUERY PLAN"].map(({ Plan }) => Plan));
      return { ...result, rows: [] };
    },
  };
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The nodes that read tables, and how many rows they read in all. */
async function measure() {
  const plans: Plan[] = [];
  const explained = explaining(plans);
  await listQueue(bed.ctx.db.withPlugin(explained), 0, 21);
  const ids = (await listQueue(bed.ctx.db, 0, 20)).map(({ assetId }) => assetId);
  await readQueueDetails(bed.ctx.db.withPlugin(explained), ids);
  await inTransaction(bed.ctx.db, (tx) =>
    claimNext(tx.withPlugin(explained) as typeof tx, { reviewer: "r", rowsMax: 20, except: [] }),
  );
  await bed.database.sql(
    "update open_reviews set claimed_by = null, claimed_at = null, claimed_until = null",
  );
  const scans = plans.flatMap(nodesOf).filter((node) => node["Node Type"].includes("Scan"));
  const rows = scans.map((node) => node["Actual Rows"] * node["Actual Loops"]);
  return {
    scans,
    indexes: new Set(scans.flatMap((node) => node["Index Name"] ?? [])),
    rows: rows.reduce((sum, count) => sum + count, 0),
  };
}

test("list and claim read what they answer from an index, however long the queue and the library are", async () => {
  const account = await bed.openAccount();
  await fillQueue(bed, account.id, 100);
  const small = await measure();
  for (let i = 0; i < 3; i++) await fillQueue(bed, (await bed.openAccount()).id, 5_000);
  const done = await fillQueue(bed, account.id, 5_000); // assets that wait no longer
  await bed.database.sql("delete from open_reviews where asset_id = any ($1)", [done]);
  await bed.database.sql("analyze");
  const large = await measure();
  for (const { scans, indexes } of [small, large]) {
    expect(indexes).toContain("open_reviews_pkey");
    expect(indexes).toContain("open_reviews_by_place");
    expect(indexes).toContain("assets_pkey");
    expect(scans.filter((node) => /Seq|Bitmap/.test(node["Node Type"]))).toEqual([]);
  }
  expect(large.rows).toBeLessThanOrEqual(small.rows);
});
