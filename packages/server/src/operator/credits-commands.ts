import type { Pool } from "pg";
import { adjustCredits, grantCredits, readBalance } from "../credits/ledger.ts";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readCount,
  readId,
  readText,
} from "./command.ts";
import { withDatabase } from "./with-database.ts";

export const creditsCommands: Commands = {
  "credits grant": {
    takes: "--account ID --credits N --note TEXT",
    run: (options) => withDatabase((db, pool) => grant(db, pool, options)),
  },
  "credits adjust": {
    takes: "--account ID --credits N --note TEXT",
    does: "corrects the balance; a negative N deducts, written as --credits=-5",
    run: (options) => withDatabase((db, pool) => adjust(db, pool, options)),
  },
};

async function grant(db: Db, pool: Pool, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  const credits = readCount(options, "credits");
  await grantCredits(pool, { accountId, credits, note: readText(options, "note") });
  return {
    facts: { credits: (await readBalance(db, accountId)).credits },
    next: `run 'key create --account ${accountId} --name NAME'`,
  };
}

async function adjust(db: Db, pool: Pool, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  const credits = Number(readText(options, "credits"));
  if (!Number.isSafeInteger(credits) || credits === 0)
    fail("--credits must be a whole number other than 0.");
  await adjustCredits(pool, { accountId, credits, note: readText(options, "note") });
  return { facts: await readBalance(db, accountId) };
}
