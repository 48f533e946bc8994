import { z } from "zod";
import { memberRoles } from "../actor.ts";
import type { Db } from "../db/database.ts";
import { readSetting } from "../environment.ts";
import { ApiError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { linkHoursMax, linkUrl } from "../people/links.ts";
import { inviteByHand } from "../people/members/invite-member.ts";
import { inviteStaffByHand } from "../people/staff/change-staff.ts";
import { removeTotpByHand } from "../people/totp/disable-totp.ts";
import { settings } from "../settings.ts";
import { type Commands, fail, type Options, type Report, readId, readText } from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./with-database.ts";

export const personCommands: Commands = {
  "person create-operator": {
    takes: "--email ADDRESS [--account ID]",
    does: `prints a link, good once and for ${linkHoursMax.staff / 24} days, with which this person becomes an operator, and an owner of the account if one is given. Reads PUBLIC_URL`,
    run: (options) => atHome((db) => createOperator(db, options)),
  },
  "person invite": {
    takes: "--account ID --email ADDRESS --role ROLE",
    does: `prints a link, good once and for ${linkHoursMax.member / 24} days, to the account: ${memberRoles.join(", ")}. Reads PUBLIC_URL`,
    run: (options) => atHome((db) => invite(db, options)),
  },
  "person remove-authenticator": {
    takes: "--email ADDRESS",
    does: "lets a person who lost the authenticator app and the recovery codes sign in without them; make sure first who asks",
    run: (options) => atHome((db) => removeAuthenticator(db, options)),
  },
};

/** People are there, whatever SHARD says. */
function atHome(work: (db: Db) => Promise<Report>): Promise<Report> {
  return withDatabase((_db, _pool, { home }) => work(home.db));
}

async function createOperator(db: Db, options: Options): Promise<Report> {
  const email = readEmail(options);
  const publicUrl = readPublicUrl();
  const ownedAccountId =
    options["account"] === undefined ? null : readId<AccountId>(options, "account");
  const invitation = { email, role: "operator", ownedAccountId } as const;
  const made = inviteStaffByHand({ db }, commandActor(), invitation);
  const { token } = await made.catch(explain);
  return report(publicUrl, "staff", token);
}

async function invite(db: Db, options: Options): Promise<Report> {
  const email = readEmail(options);
  const publicUrl = readPublicUrl();
  const accountId = readId<AccountId>(options, "account");
  const given = readText(options, "role");
  const role =
    memberRoles.find((one) => one === given) ?? fail(`--role is ${memberRoles.join(", ")}.`);
  const made = inviteByHand({ db }, commandActor(), { accountId, email, role });
  const { token } = await made.catch(explain);
  return report(publicUrl, "member", token);
}

async function removeAuthenticator(db: Db, options: Options): Promise<Report> {
  const email = readEmail(options);
  await removeTotpByHand(db, commandActor(), email).catch(explain);
  return { facts: { removed: email }, next: "tell the person to enrol an authenticator app again" };
}

function report(publicUrl: string, kind: "member" | "staff", token: string): Report {
  const facts = { console: `${publicUrl}/console`, link: linkUrl(publicUrl, kind, token) };
  return { facts, next: "open the link, or hand it over: it works once" };
}

function readEmail(options: Options): string {
  const parsed = z.email().max(254).safeParse(readText(options, "email"));
  return parsed.data ?? fail("--email must be an e-mail address.");
}

function readPublicUrl(): string {
  const setting = settings.links.publicUrl;
  return readSetting(setting) ?? fail(`Set ${setting.name} to the URL of the api.`);
}

function explain(error: unknown): never {
  if (error instanceof ApiError) return fail(error.message);
  throw error;
}
