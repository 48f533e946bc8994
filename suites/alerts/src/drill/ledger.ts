import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { startExtraWorker } from "./extra-worker.ts";
import type { Scenario } from "./scenario.ts";

const run = promisify(execFile);
const name = "zoetrope_copy";

export const ledgerBroken: Scenario = {
  breaks: "a row of the ledger is changed by hand, in a copy of the database",
  alert: "LedgerMismatch",
  async run(drill) {
    const { dir, stack } = drill;
    const copyUrl = await copyDatabase(dir, stack);
    const worker = await startExtraWorker(drill, "copy", {
      DATABASE_URL: stack.databaseUrl.replace(/[^/]+$/, name),
      STORAGE_DIR: join(dir, "copy-media"), // it must not collect the files of the real one
      VENDORS: "[]",
    });
    await changeLastTransfer(copyUrl, 1);
    return { repair: () => changeLastTransfer(copyUrl, -1), end: () => worker.stop() };
  },
};

async function copyDatabase(dir: string, stack: Stack): Promise<string> {
  const { pg_dump, psql } = await findPrograms(["pg_dump", "psql"]);
  const copyUrl = stack.databaseOwnerUrl.replace(/[^/]+$/, name);
  await withClient(stack.postgres.url, (db) => db.query(`create database ${name}`));
  const file = join(dir, "copy.sql");
  const quietly = { env: childEnv(), maxBuffer: 64 * 1024 * 1024 };
  await run(pg_dump, ["--file", file, stack.databaseOwnerUrl], quietly);
  await run(psql, ["-qX", "-v", "ON_ERROR_STOP=1", "-f", file, copyUrl], quietly);
  return copyUrl;
}

/** Changes the last transfer as the database's owner, bypassing the triggers that protect the ledger. */
async function changeLastTransfer(databaseUrl: string, by: number): Promise<void> {
  await withClient(databaseUrl, async (db) => {
    await db.query("set session_replication_role = replica");
    await db.query(
      `update transfers set credits_after = credits_after + $1::int
       where (account_id, number) = (select id, transfers from accounts order by id limit 1)`,
      [by],
    );
  });
}
