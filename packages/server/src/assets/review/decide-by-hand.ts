import type { Db } from "../../db/database.ts";
import type { AssetId } from "../../ids.ts";
import { findAsset } from "../queries.ts";
import { revokeAsset } from "../settle-queries.ts";
import { hurryAsset } from "../step-queries.ts";
import { addReview } from "./queries.ts";

/** Records an operator's decision on an asset in review. It takes effect with the next step. */
export async function decideByHand(
  db: Db,
  decision: { assetId: AssetId; by: string; verdict: "passed" | "refused"; reason: string },
): Promise<void> {
  const { assetId, by, verdict, reason } = decision;
  const asset = await findAsset(db, assetId);
  if (asset?.status !== "PROCESSING")
    throw new Error("There is no asset in review with this id. List those with 'asset waiting'.");
  await addReview(db, assetId, { actor: `manual ${by}`, verdict, reason });
  await hurryAsset(db, assetId);
}

/** Revokes an asset: its copy is deleted, and new tasks that reference it are refused. */
export async function revokeByHand(
  db: Db,
  decision: { assetId: AssetId; by: string; reason: string },
): Promise<void> {
  const { assetId, by, reason } = decision;
  if (!(await revokeAsset(db, assetId, reason)))
    throw new Error("There is no ACTIVE or NONE asset with this id.");
  await addReview(db, assetId, { actor: `manual ${by}`, verdict: "revoked", reason });
}
