import { z } from "zod";
import type { DirectoryDb } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { linkByHand } from "../people/link-by-hand.ts";
import { linkHoursMax, linkUrl } from "../people/links.ts";
import { inviteStaffByHand } from "../people/staff/change-staff.ts";
import { readSetting } from "../settings/environment.ts";
import { settings } from "../settings/settings.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readAccountId,
  readText,
} from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./with-database.ts";

export const personCommands: Commands = {
  "person create-operator": {
    takes: "--email ADDRESS [--account ID]",
    does: `prints a link, good once and for ${linkHoursMax.staff / 24} days, with which this person becomes an operator, and an owner of the account if one is given. Reads PUBLIC_URL`,
    run: (options) => withDirectory((db) => createOperator(db, options)),
  },
  "person enrol": {
    takes: "--email ADDRESS",
    does: "prints a link, good once and for an hour, with which this person sets a new password; within an hour after that, somebody of the staff can set up the first second factor. Reads PUBLIC_URL",
    run: (options) => withDirectory((db) => enrol(db, options)),
  },
};

/** People are there, whatever SHARD says. */
function withDirectory(work: (db: DirectoryDb) => Promise<Report>): Promise<Report> {
  return withDatabase((_db, _pool, { directory }) => work(directory.db));
}

async function createOperator(db: DirectoryDb, options: Options): Promise<Report> {
  const email = readEmail(options);
  const publicUrl = readPublicUrl();
  const ownedAccountId =
    options["account"] === undefined ? null : readAccountId(options, "account");
  const invitation = { email, role: "operator", ownedAccountId } as const;
  const made = inviteStaffByHand({ db }, commandActor(), invitation);
  const { token } = await made.catch(explain);
  return report(publicUrl, "staff", token);
}

async function enrol(db: DirectoryDb, options: Options): Promise<Report> {
  const publicUrl = readPublicUrl();
  const { token } = await linkByHand(db, commandActor(), readEmail(options)).catch(explain);
  return report(publicUrl, "password", token);
}

function report(publicUrl: string, kind: "staff" | "password", token: string): Report {
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
