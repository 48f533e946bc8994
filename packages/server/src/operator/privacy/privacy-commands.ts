import { resolve } from "node:path";
import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction } from "../../db/database.ts";
import { ownerUrl } from "../../settings/owner-settings.ts";
import { settings } from "../../settings/settings.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readAccountId,
  readText,
} from "../command.ts";
import { commandActor } from "../command-actor.ts";
import { withStorage } from "../with-database.ts";
import { type Erasure, eraseAccount } from "./erase-account.ts";
import { exportAccount } from "./export-account.ts";

export const privacyCommands: Commands = {
  "account export": {
    takes: "--account ID --dir NEW-FOLDER",
    does: "writes everything of an account and its test account to a new folder, without secrets; reads the settings of a worker",
    run: writeExport,
  },
  "account erase": {
    takes: "--account ID --name NAME",
    does: `closes an account for good and erases it and its test account; the ledger stays without the name, and for 184 days the record of outputs without the visible label. NAME confirms. Reads the settings of a worker and ${ownerUrl.name}; exit code 1 while tasks are open`,
    run: erase,
  },
};

async function writeExport(options: Options): Promise<Report> {
  const accountId = readAccountId(options, "account");
  const dir = resolve(readText(options, "dir"));
  return withStorage(settings.database.url, async (ctx) => {
    const manifest = await exportAccount(ctx, accountId, dir).catch(explainFolder);
    if (manifest === "missing") return fail(noAccount);
    const rows = Object.values(manifest.documents).reduce((sum, written) => sum + written.rows, 0);
    return { facts: { folder: dir, rows, ...manifest.files } };
  });
}

const noAccount = "There is no account with this id.";

function explainFolder(error: NodeJS.ErrnoException): never {
  if (error.code === "EEXIST" && error.syscall === "mkdir")
    return fail("--dir must name a folder that does not exist yet.");
  throw error;
}

async function erase(options: Options): Promise<Report> {
  const accountId = readAccountId(options, "account");
  const name = readText(options, "name");
  return withStorage(ownerUrl, async (ctx) => {
    const onVendorAsset = (id: string) =>
      process.stderr.write(`Delete the asset ${id} from the vendor's library by hand.\n`);
    const erasure = await eraseAccount({ ...ctx, onVendorAsset }, accountId, name);
    if (erasure.kind === "erased")
      await inTransaction(ctx.db, (tx) =>
        recordAudit(tx, commandActor(), { accountId, action: "account.erase", object: accountId }),
      );
    return report(erasure);
  });
}

const refusals = {
  missing: noAccount,
  "is a test account":
    "This is a test account. It is erased together with the account that it belongs to.",
  "another name": "--name is not the name of this account. Nothing was changed.",
};

function report(erasure: Erasure): Report {
  switch (erasure.kind) {
    case "refused":
      return fail(refusals[erasure.reason]);
    case "open":
      process.exitCode = 1;
      return {
        facts: {
          closed: "yes",
          erased: "no",
          "open-tasks": erasure.tasks,
          "open-upscales": erasure.upscales,
          until: erasure.until?.toISOString() ?? "now",
        },
        next: "run the same command when they have ended, at the latest at that time",
      };
    case "erased":
      return {
        facts: {
          erased: "yes",
          ...erasure.counts,
          "freed-outputs-kept": erasure.kept.outputs,
          ...(erasure.kept.until === null
            ? {}
            : { "kept-until": erasure.kept.until.toISOString() }),
        },
      };
  }
}
