import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { inTransaction } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { listAssets } from "./queries.ts";
import type { ListQuery } from "./schema.ts";

/** The maximum number of rows that a page may read in a library of any size. */
const rowsMax = 500;

let bed: TestBed;
let accountId: AccountId;
beforeAll(async () => {
  bed = await openTestBed();
  accountId = (await bed.openAccount({ credits: 0 })).id;
});
afterAll(() => bed[Symbol.asyncDispose]());

const libraryRows = 20_000;
const partRows = 2_000; // a statement is short on a busy machine too

/** Thousands of images that were refused; among them three videos and three that wait. */
const libraryPart = (first: number) => `
  insert into assets (upstream_asset_id, account_id, type, status, next_step_at)
  select 'asset-x-' || n, '${accountId}',
         case when n in (4000, 8000, 16000) then 'VIDEO' else 'IMAGE' end,
         case when n in (5000, 8000, 15000) then 'PROCESSING' else 'FAILED' end, null
  from generate_series(${first}, ${first + partRows - 1}) n`;

const filters: { filter: Partial<ListQuery>; found: number[] }[] = [
  { filter: { type: "VIDEO" }, found: [16_000, 8_000, 4_000] },
  { filter: { status: "PROCESSING" }, found: [15_000, 8_000, 5_000] },
  { filter: { type: "VIDEO", status: "PROCESSING" }, found: [8_000] },
  { filter: { type: "AUDIO" }, found: [] },
  { filter: { status: "ACTIVE" }, found: [] },
];

// With a plan made while the library was empty: plans are kept.
test.each(filters)(
  "of a library of thousands, those of $filter are listed without reading the others",
  async ({ filter, found }) => {
    await bed.database.sql("analyze");
    const unwritten = new Error("rolled back");
    const listing = inTransaction(bed.ctx.db, async (tx) => {
      const list = async (query: Partial<ListQuery>) => {
        const rows = await listAssets(tx, accountId, { limit: 50, ...filter, ...query });
        return rows.map((row) => Number(row.upstream_asset_id.split("-").at(-1)));
      };
      await list({});
      for (let first = 1; first < libraryRows; first += partRows)
        await sql.raw(libraryPart(first)).execute(tx);
      const rowsRead = async () => {
        const { rows } = await sql<{ read: string }>`
          select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
          from pg_stat_xact_user_tables where relname = 'assets'`.execute(tx);
        return Number(rows[0]?.read);
      };
      const before = await rowsRead();
      expect(await list({})).toEqual(found);
      expect((await list({ limit: 1 })).slice(0, 1)).toEqual(found.slice(0, 1));
      expect((await rowsRead()) - before).toBeLessThan(rowsMax);
      throw unwritten;
    });
    await expect(listing).rejects.toBe(unwritten);
  },
);
