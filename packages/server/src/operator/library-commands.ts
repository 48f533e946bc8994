import { findMiscounted, recountLibrary } from "../assets/library-queries.ts";
import { type Db, inTransaction } from "../db/database.ts";
import type { Commands, Report } from "./command.ts";
import { withDatabase } from "./with-database.ts";

export const libraryCommands: Commands = {
  "library verify": {
    takes: "[--repair]",
    does: "checks that the stored bytes of every account are the sum of its copies; exit code 1 if not",
    run: (options) => withDatabase((db) => verify(db, options["repair"] === true)),
  },
};

async function verify(db: Db, isRepaired: boolean): Promise<Report> {
  const miscounted = await inTransaction(db, findMiscounted);
  if (miscounted.length === 0) return { facts: { miscounted: 0 } };
  if (isRepaired) {
    for (const { accountId } of miscounted)
      await inTransaction(db, (tx) => recountLibrary(tx, accountId));
    return { facts: miscounted };
  }
  process.exitCode = 1;
  return { facts: miscounted, next: "run 'library verify --repair'" };
}
