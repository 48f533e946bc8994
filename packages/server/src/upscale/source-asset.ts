import { type AssetRow, findAssetAt } from "../assets/queries.ts";
import type { Context } from "../context.ts";
import type { AssetFault } from "../db/tables/assets.ts";
import type { AccountId } from "../ids.ts";
import type { UpscaleResolution } from "../models/request.ts";
import { faultOfSource, type UpscaleFault } from "../models/upscaler.ts";

type Fault = { code: UpscaleFault | "INVALID_URL" | "URL_NOT_REACHABLE"; message: string };

const codeOf: Readonly<Record<AssetFault, Fault["code"]>> = {
  unreachable: "URL_NOT_REACHABLE",
  broken: "URL_NOT_REACHABLE",
  storage_limit: "URL_NOT_REACHABLE",
  unusable: "UNSUPPORTED_MEDIA_TYPE",
  refused: "INVALID_URL",
};

/** What is wrong with an asset as a source, by its known facts. Its review does not matter. */
export function faultOfAsset(asset: AssetRow, target: UpscaleResolution): Fault | null {
  if (asset.status === "FAILED") {
    const message = `The asset has no stored copy. ${asset.fail_reason ?? ""}`.trim();
    return { code: codeOf[asset.fail_code ?? "refused"], message };
  }
  const { type, width, height, content_type: contentType, size_bytes: sizeBytes } = asset;
  if (contentType !== null && sizeBytes !== null)
    return faultOfSource(
      { type, contentType, sizeBytes, width, height, durationMs: asset.duration_ms },
      target,
    );
  if (type === "VIDEO") return null;
  return {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: `The source is of type ${type}, not a video. Use MP4, MOV or WebM.`,
  };
}

/** The copy of an asset that an accepted upscale waits for. */
export async function findCopy(
  ctx: Context,
  task: { account_id: AccountId },
  name: string,
): Promise<{ kind: "copy"; key: string } | { kind: "waiting" } | { kind: "fault"; fault: Fault }> {
  const asset = await findAssetAt(ctx.db, task.account_id, {
    by: "upstream_asset_id",
    value: name,
  });
  // Refused after the task was accepted: the copy is kept for it until its deadline.
  if (asset?.storage_key != null && asset.revoked_at === null)
    return { kind: "copy", key: asset.storage_key };
  if (asset?.status === "PROCESSING") return { kind: "waiting" };
  const message = "The stored copy of the asset no longer exists.";
  const fault: Fault =
    asset === undefined || asset.revoked_at !== null
      ? { code: "INVALID_URL", message }
      : { code: codeOf[asset.fail_code ?? "broken"], message: asset.fail_reason ?? message };
  return { kind: "fault", fault };
}
