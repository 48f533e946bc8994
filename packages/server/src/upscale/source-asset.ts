import { failReasonIn } from "../assets/fail-reason.ts";
import { type AssetRow, findAssetAt } from "../assets/queries.ts";
import type { Context } from "../context.ts";
import type { AssetFault } from "../db/tables/assets.ts";
import type { Text } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import type { UpscaleResolution } from "../models/request.ts";
import { faultOfSource, type UpscaleFault } from "../models/upscaler.ts";

type Code = UpscaleFault | "SOURCE_GONE" | "URL_NOT_REACHABLE";
/** The refusal of a request. A task stores its sentence in English. */
type Refusal = { code: Code; message: Text };
type Fault = { code: Code; message: string };

const codeOf: Readonly<Record<AssetFault, Fault["code"]>> = {
  unreachable: "URL_NOT_REACHABLE",
  broken: "URL_NOT_REACHABLE",
  storage_limit: "URL_NOT_REACHABLE",
  unusable: "UNSUPPORTED_MEDIA_TYPE",
  refused: "SOURCE_GONE",
};

/** Returns the fault of an asset as a source, by its known facts. Its review does not matter. */
export function faultOfAsset(asset: AssetRow, target: UpscaleResolution): Refusal | null {
  if (asset.status === "FAILED") {
    const reason = asset.fail_reason ?? "";
    const message = {
      en: `The asset has no stored copy. ${reason}`.trim(),
      zh: `该素材没有存储的副本。${failReasonIn("zh", reason)}`,
    };
    return { code: codeOf[asset.fail_code ?? "refused"], message };
  }
  const { type, width, height, frames, content_type: contentType, size_bytes: sizeBytes } = asset;
  if (contentType !== null && sizeBytes !== null)
    return faultOfSource(
      { type, contentType, sizeBytes, width, height, durationMs: asset.duration_ms, frames },
      target,
    );
  if (type === "VIDEO") return null;
  return {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: {
      en: `The source is of type ${type}, not a video. Use MP4, MOV or WebM.`,
      zh: `源文件类型为 ${type}，不是视频。请使用 MP4、MOV 或 WebM。`,
    },
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
      ? { code: "SOURCE_GONE", message }
      : { code: codeOf[asset.fail_code ?? "broken"], message: asset.fail_reason ?? message };
  return { kind: "fault", fault };
}
