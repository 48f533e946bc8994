import { askGrant, type GrantInput } from "../admin/grants/ask-grant.ts";
import { decideGrant } from "../admin/grants/decide-grant.ts";
import { readBalance } from "../credits/ledger.ts";
import type { Db } from "../db/database.ts";
import { readSetting } from "../environment.ts";
import type { AccountId, TransferId } from "../ids.ts";
import { settings } from "../settings.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readCount,
  readId,
  readText,
} from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./with-database.ts";

const secondPerson = `Above ${settings.admin.grantApprovalAbove.name} it waits for a second person`;

export const creditsCommands: Commands = {
  "credits grant": {
    takes: "--account ID --credits N --note TEXT",
    does: `the account sees the note. ${secondPerson}`,
    run: (options) => withDatabase((db) => grant(db, options)),
  },
  "credits adjust": {
    takes: "--account ID --credits N --note TEXT",
    does: `corrects the balance; a negative N deducts, written as --credits=-5. ${secondPerson}`,
    run: (options) => withDatabase((db) => adjust(db, options)),
  },
  "credits approve": {
    takes: "--grant ID",
    does: "approves what somebody else asked for",
    run: (options) => withDatabase((db) => decide(db, options, true)),
  },
  "credits reject": {
    takes: "--grant ID",
    run: (options) => withDatabase((db) => decide(db, options, false)),
  },
};

async function grant(db: Db, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  const input = { kind: "grant" as const, credits: readCount(options, "credits") };
  return ask(db, { accountId, ...input, reason: readText(options, "note") }, async () => ({
    facts: { credits: (await readBalance(db, accountId)).credits },
    next: `run 'key create --account ${accountId} --name NAME'`,
  }));
}

async function adjust(db: Db, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  const credits = Number(readText(options, "credits"));
  if (!Number.isSafeInteger(credits) || credits === 0)
    fail("--credits must be a whole number other than 0.");
  const reason = readText(options, "note");
  return ask(db, { accountId, kind: "adjust", credits, reason }, async () => ({
    facts: await readBalance(db, accountId),
  }));
}

async function ask(
  db: Db,
  input: GrantInput,
  describePosted: () => Promise<Report>,
): Promise<Report> {
  const approvalAbove = readSetting(settings.admin.grantApprovalAbove);
  const { grantId, status } = await askGrant({ db, approvalAbove }, commandActor(), input);
  if (status === "posted") return describePosted();
  return {
    facts: { grant: grantId, status },
    next: `have somebody else run 'credits approve --grant ${grantId}' within 7 days`,
  };
}

async function decide(db: Db, options: Options, isApproved: boolean): Promise<Report> {
  const grantId = readId<TransferId>(options, "grant");
  await decideGrant({ db }, commandActor(), grantId, { isApproved });
  return { facts: { [isApproved ? "approved" : "rejected"]: grantId } };
}
