import type { Actor } from "../actor.ts";
import { pathOfAsset } from "../assets/address.ts";
import { type JudgeContext, type Judgement, judgeAsset } from "../assets/review/judge-asset.ts";
import { listQueue } from "../assets/review/queue.ts";
import { readQueueDetails } from "../assets/review/queue-details.ts";
import { refusalCodes } from "../assets/review/reasons.ts";
import { revokeAsset } from "../assets/review/revoke-asset.ts";
import { undoDecision } from "../assets/review/undo-decision.ts";
import type { Db } from "../db/database.ts";
import { readSetting } from "../environment.ts";
import { signedUrl } from "../media/storage/signed-link.ts";
import { settings } from "../settings.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readAssetId,
  readText,
} from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./with-database.ts";

const listedMax = 100;
const linkMs = 24 * 60 * 60 * 1000;

export const assetCommands: Commands = {
  "asset waiting": {
    takes: "",
    does: "lists the assets that a person has to review",
    run: () => withDatabase(listUndecided),
  },
  "asset approve": {
    takes: "--asset N --by NAME [--note TEXT]",
    run: (options) => withDatabase((db) => approve(db, options)),
  },
  "asset refuse": {
    takes: "--asset N --by NAME --code CODE [--reason TEXT]",
    does: `takes effect in 10 minutes, illegal at once; CODE is one of ${refusalCodes.join(", ")}`,
    run: (options) => withDatabase((db) => refuse(db, options)),
  },
  "asset undo": {
    takes: "--asset N --by NAME",
    does: "takes back a decision of the same NAME within 10 minutes",
    run: (options) => withDatabase((db) => undo(db, options)),
  },
  "asset revoke": {
    takes: "--asset N --by NAME --reason TEXT",
    does: "new tasks refuse the asset immediately",
    run: (options) => withDatabase((db) => revoke(db, options)),
  },
};

async function listUndecided(db: Db): Promise<Report> {
  const waiting = await listQueue(db, 0, listedMax);
  const details = await readQueueDetails(
    db,
    waiting.map(({ assetId }) => assetId),
  );
  const assets = details.sort((a, b) => a.id - b.id);
  const claims = new Map(waiting.map(({ assetId, claimedBy }) => [assetId, claimedBy]));
  const [first] = assets;
  return {
    facts: assets.map(({ id, type, address, createdAt, reviews }) => ({
      asset: id,
      type,
      file: linkTo(address),
      uploaded: createdAt.toISOString(),
      doubt: reviews[0]?.reason ?? null,
      "claimed-by": claims.get(id) ?? null,
    })),
    ...(first === undefined
      ? {}
      : {
          next: `run 'asset approve --asset ${first.id} --by NAME' or 'asset refuse --asset ${first.id} --by NAME --code CODE'`,
        }),
  };
}

/** A signed link where the settings of the api are set; otherwise the address. */
function linkTo(address: string): string {
  const publicUrl = readSetting(settings.links.publicUrl);
  const secret = readSetting(settings.links.secret);
  if (!publicUrl || !secret) return address;
  return signedUrl({ publicUrl, secret }, pathOfAsset(address), linkMs);
}

function actorOf(options: Options): Actor {
  return commandActor(readText(options, "by"));
}

/** No engine is told: the sweep of the workers continues the review within seconds. */
function contextOf(db: Db): JudgeContext {
  return { db, waker: { wake: () => {} } };
}

const readOptionalText = (options: Options, name: string) =>
  options[name] === undefined ? null : readText(options, name);

async function approve(db: Db, options: Options): Promise<Report> {
  return judge(db, options, { verdict: "passed", text: readOptionalText(options, "note") });
}

async function refuse(db: Db, options: Options): Promise<Report> {
  const given = readText(options, "code");
  const code =
    refusalCodes.find((known) => known === given) ??
    fail(`--code: there is no ${given}; there are ${refusalCodes.join(", ")}.`);
  return judge(db, options, {
    verdict: "refused",
    code,
    text: readOptionalText(options, "reason"),
  });
}

async function judge(db: Db, options: Options, judgement: Judgement): Promise<Report> {
  const assetId = readAssetId(options, "asset");
  await judgeAsset(contextOf(db), actorOf(options), assetId, judgement, { claims: true });
  return { facts: { asset: assetId, verdict: judgement.verdict }, next: "run 'asset waiting'" };
}

async function undo(db: Db, options: Options): Promise<Report> {
  const assetId = readAssetId(options, "asset");
  await undoDecision({ db }, actorOf(options), assetId);
  return { facts: { undone: assetId }, next: "run 'asset waiting'" };
}

async function revoke(db: Db, options: Options): Promise<Report> {
  const assetId = readAssetId(options, "asset");
  await revokeAsset({ db }, actorOf(options), assetId, readText(options, "reason"));
  return { facts: { revoked: assetId } };
}
