import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../db/database.ts";
import type { StaffKind } from "../db/tables/admin.ts";
import type { CostDocument } from "./cost-document.ts";

/** The SQL of cost books. */

/** Every published version without its document, and the time of the database. */
export async function listCostVersions(db: DirectoryDb) {
  const { rows } = await sql<{
    now: Date;
    versions: { book: string; version: number; validFrom: string }[];
  }>`select clock_timestamp() as now, coalesce((
       select json_agg(json_build_object(
           'book', vendor_account, 'version', version, 'validFrom', valid_from)
         order by vendor_account, version) from cost_versions), '[]') as versions`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a query without a table has one row");
  return row;
}

export async function readCostDocument(db: DirectoryDb, vendorAccount: string, version: number) {
  const row = await db
    .selectFrom("cost_versions")
    .select("document")
    .where("vendor_account", "=", vendorAccount)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return row.document;
}

/** Published versions with their documents, newest first. */
export async function listCosts(
  db: DirectoryDb,
  vendorAccount: string,
  { before, rowsMax }: { before: number | null; rowsMax: number },
) {
  return db
    .selectFrom("cost_versions")
    .select([
      "version",
      "document",
      "valid_from as validFrom",
      "published_at as publishedAt",
      "published_kind as publishedKind",
      "published_by as publishedBy",
      "reason",
    ])
    .where("vendor_account", "=", vendorAccount)
    .$if(before !== null, (all) => all.where("version", "<", before))
    .orderBy("version", "desc")
    .limit(rowsMax)
    .execute();
}

/** The cost books with their newest version, by name. */
export async function listCostBooks(db: DirectoryDb) {
  const { rows } = await sql<{
    vendorAccount: string;
    version: number;
    currency: string;
    validFrom: Date;
    publishedAt: Date;
  }>`select distinct on (vendor_account) vendor_account as "vendorAccount", version,
       document ->> 'currency' as currency, valid_from as "validFrom", published_at as "publishedAt"
     from cost_versions order by vendor_account, version desc`.execute(db);
  return rows;
}

/** Publishes the next version of a vendor account's book, which is made with its first one. */
export async function insertCosts(
  tx: DirectoryTx,
  costs: {
    vendorAccount: string;
    document: CostDocument;
    /** Null: from now on. */
    validFrom: Date | null;
    by: { kind: StaffKind; name: string };
    reason: string;
  },
): Promise<{ version: number; validFrom: Date }> {
  const { vendorAccount, document, validFrom, by, reason } = costs;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cost book ${vendorAccount}`}, 0))`.execute(
    tx,
  );
  await tx
    .insertInto("cost_books")
    .values({ vendor_account: vendorAccount })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .insertInto("cost_versions")
    .values(({ selectFrom, fn, val }) => ({
      vendor_account: vendorAccount,
      version: sql<number>`1 + coalesce(${selectFrom("cost_versions")
        .select(fn.max("version").as("last"))
        .where("vendor_account", "=", val(vendorAccount))}, 0)`,
      document: JSON.stringify(document),
      valid_from: validFrom ?? sql<Date>`now()`,
      published_kind: by.kind,
      published_by: by.name,
      reason,
    }))
    .returning(["version", "valid_from as validFrom"])
    .executeTakeFirstOrThrow();
}
