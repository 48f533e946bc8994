import { decideByHand, revokeByHand } from "../assets/review/decide-by-hand.ts";
import { listWaiting } from "../assets/review/queries.ts";
import type { Db } from "../db/database.ts";
import { readSetting } from "../environment.ts";
import { vendorUrl } from "../media/storage/signed-link.ts";
import { settings } from "../settings.ts";
import { type Commands, type Options, type Report, readAssetId, readText } from "./command.ts";
import { withDatabase } from "./with-database.ts";

const decisionOptions = "--asset N --by NAME --reason TEXT";

export const assetCommands: Commands = {
  "asset waiting": {
    takes: "",
    does: "lists the assets that a person has to review",
    run: () => withDatabase(listUndecided),
  },
  "asset approve": {
    takes: decisionOptions,
    run: (options) => withDatabase((db) => decide(db, options, "passed")),
  },
  "asset refuse": {
    takes: decisionOptions,
    run: (options) => withDatabase((db) => decide(db, options, "refused")),
  },
  "asset revoke": {
    takes: decisionOptions,
    does: "new tasks refuse the asset immediately",
    run: (options) => withDatabase((db) => revoke(db, options)),
  },
};

async function listUndecided(db: Db): Promise<Report> {
  const assets = await listWaiting(db);
  const [first] = assets;
  return {
    facts: assets.map(({ id, type, storageKey, createdAt, doubt }) => ({
      asset: id,
      type,
      file: linkTo(storageKey),
      uploaded: createdAt.toISOString(),
      doubt,
    })),
    ...(first === undefined
      ? {}
      : {
          next: `run 'asset approve --asset ${first.id} --by NAME --reason TEXT' or 'asset refuse' with the same options`,
        }),
  };
}

/** A signed link where the settings of the api are set; otherwise the storage key. */
function linkTo(storageKey: string | null): string | null {
  const publicUrl = readSetting(settings.links.publicUrl);
  const secret = readSetting(settings.links.secret);
  if (storageKey === null || !publicUrl || !secret) return storageKey;
  return vendorUrl({ publicUrl, secret }, storageKey);
}

async function decide(db: Db, options: Options, verdict: "passed" | "refused"): Promise<Report> {
  const assetId = readAssetId(options, "asset");
  const [by, reason] = [readText(options, "by"), readText(options, "reason")];
  await decideByHand(db, { assetId, by, verdict, reason });
  return { facts: { asset: assetId, verdict }, next: "run 'asset waiting'" };
}

async function revoke(db: Db, options: Options): Promise<Report> {
  const assetId = readAssetId(options, "asset");
  const [by, reason] = [readText(options, "by"), readText(options, "reason")];
  await revokeByHand(db, { assetId, by, reason });
  return { facts: { revoked: assetId } };
}
