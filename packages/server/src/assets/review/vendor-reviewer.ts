import type { Db } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import { vendorUrl } from "../../media/storage/signed-link.ts";
import type { ArkAssets, Outcome } from "../../vendors/ark-assets/ark-assets.ts";
import type { AssetRow } from "../queries.ts";
import { claimRegistration, returnRegistration, saveVendorAssetId } from "./queries.ts";
import type { RefusalCode } from "./reasons.ts";
import type { Reviewer, Verdict } from "./reviewer.ts";

/** The time for which a registration with a lost response is searched for before it is repeated. */
const lostMsMax = 90_000;
const recordCharsMax = 500;
const typeOf = { IMAGE: "Image", VIDEO: "Video", AUDIO: "Audio" } as const;
const waiting: Verdict = { kind: "waiting" };

interface Parts {
  db: Db;
  log: Log;
  /** Signs the links by which the vendor fetches copies that are in review. */
  signer: Parameters<typeof vendorUrl>[0];
  library: ArkAssets;
}

/**
 * Reviews assets in the asset library of the vendor that generates videos from them. The intent is in the
 * row before an asset is registered, and the vendor's id after it. A registration with a lost response is
 * searched for by name, which is our id. A fault that an operator has to fix (a key, the account, a missing
 * group) is logged, and the asset waits.
 */
export function createVendorReviewer(parts: Parts): Reviewer {
  return {
    async review(asset) {
      const id = asset.vendor_asset_id ?? (await register(parts, asset));
      if (typeof id !== "string") return id;
      const seen = await logged(parts, asset, "get asset", parts.library.getAsset(id));
      if (seen.kind !== "done") return waiting;
      switch (seen.value.kind) {
        case "waiting":
          return waiting;
        case "passed":
          return { kind: "passed", reason: `Accepted by the vendor as ${id}.` };
        case "failed": {
          const { code, message } = seen.value;
          const assetId = asset.id;
          parts.log.info({ event: "asset.refused_by_vendor", assetId, vendorAssetId: id, code });
          return isAboutContent(code)
            ? { kind: "refused", code: reasonCodeOf(code), reason: recordOf(code, message) }
            : { kind: "unable", reason: "The vendor's asset library does not accept this file." };
        }
      }
    },
  };
}

/** Limits on size, duration and format belong to the models; a failure of the vendor is no verdict either. */
function isAboutContent(code: string): boolean {
  return !/^(InvalidParameter|MissingParameter|Internal|ServiceUnavailable)/.test(code);
}

/** The vendor's id of an asset, or the verdict without one. */
async function register(parts: Parts, asset: AssetRow): Promise<string | Verdict> {
  const { db, library } = parts;
  const { id: assetId, upstream_asset_id: name, storage_key: key } = asset;
  if (key === null) return waiting;
  if (asset.vendor_submit_started_at !== null) {
    const found = await logged(parts, asset, "find asset", library.findByName(name));
    if (found.kind !== "done") return waiting;
    if (found.value !== null) {
      await saveVendorAssetId(db, assetId, found.value);
      return found.value;
    }
  }
  const group = await logged(parts, asset, "ensure group", library.ensureGroup());
  if (group.kind !== "done") return waiting;
  const askedAt = await claimRegistration(db, asset, lostMsMax);
  if (askedAt === undefined) return waiting; // another worker registers it, or it may still appear
  const url = vendorUrl(parts.signer, key);
  const file = { groupId: group.value, name, url, type: typeOf[asset.type] };
  const created = await logged(parts, asset, "create asset", library.createAsset(file));
  if (created.kind === "unknown") return waiting;
  if (created.kind === "done") {
    await saveVendorAssetId(db, assetId, created.value);
    return created.value;
  }
  await returnRegistration(db, assetId, askedAt);
  if (created.kind === "refused" && created.cause === "request")
    return { kind: "unable", reason: "The vendor's asset library does not accept this file." };
  return waiting;
}

async function logged<Value>(
  { log }: Parts,
  asset: AssetRow,
  call: string,
  outcome: Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const startedAt = performance.now();
  const result = await outcome;
  const { kind } = result;
  const level = kind === "done" ? "info" : kind === "refused" ? "error" : "warn";
  log[level]({
    event: "vendor.called",
    call,
    assetId: asset.id,
    vendorAccount: "ark-assets",
    outcome: kind,
    detail: result.kind === "done" ? undefined : result.detail,
    durationMs: Math.round(performance.now() - startedAt),
  });
  return result;
}

/** The vendor's families of codes, in our own reasons. */
function reasonCodeOf(code: string): RefusalCode {
  if (/PrivacyInformation|RealPerson/i.test(code)) return "consent_missing";
  if (/PolicyViolation|Copyright/i.test(code)) return "copyright";
  if (/Sexual|Porn|Nudity/i.test(code)) return "sexual";
  if (/Violence/i.test(code)) return "violence";
  return "other";
}

/** The vendor's words, for operators. */
function recordOf(code: string, message: string): string {
  return `${code}: ${message}`.slice(0, recordCharsMax).toWellFormed().replaceAll("\u0000", "");
}
