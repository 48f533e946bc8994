import { type Caller, lockAccountHere } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { inTransaction, type Tx } from "../db/database.ts";
import { ApiError, invalid } from "../errors.ts";
import { faultOfUrl } from "../media/fetch/public-address.ts";
import { textOfUrlFault } from "../media/fetch/url-fault-texts.ts";
import { mediaUrl } from "../media/storage/media-url.ts";
import { type OutputRef, textOfOutput } from "../models/output-ref.ts";
import { factsOfOutput, findOutput, readOutputNames } from "../tasks/find-outputs.ts";
import { newAssetId } from "./asset-id.ts";
import { viewAsset } from "./asset-view.ts";
import { checkDeclaration, declare } from "./declarations/declare.ts";
import { type AssetRow, type Bytes, findTwin, insertAsset } from "./queries.ts";
import { busyIfTimeout, requireRoom } from "./require-room.ts";
import { reviewersOf } from "./review/reviewer.ts";
import { type AssetAnswer, fileBytesMax, type UploadBody } from "./schema.ts";

/**
 * Creates an asset from a URL, or from an output of the account unless the account has an asset of it.
 * The file is fetched, or read from storage, and probed and reviewed afterwards.
 */
export async function uploadAsset(
  ctx: Context,
  caller: Caller,
  body: UploadBody,
): Promise<AssetAnswer> {
  const [output = null] = await readOutputNames(ctx, [body.url]);
  if (output === null) requirePublic(ctx, body.url);
  const bytes = output === null ? null : await requireOutput(ctx, caller, output, body);
  const declaration = await checkDeclaration(ctx, caller, body.declaration);
  const asset = await inTransaction(ctx.db, async (tx) => {
    const twin = bytes && declaration === null ? await findSaved(tx, caller, bytes) : undefined;
    if (twin !== undefined) return twin;
    const queued = await requireRoom(tx, ctx.config.library, caller.id, {
      kind: "asset",
      sizeBytes: 0,
    });
    const made = await insertAsset(tx, {
      upstreamAssetId: newAssetId(new Date()),
      accountId: caller.id,
      type: body.type,
      source: { kind: "url", url: body.url },
      name: body.name ?? null,
      ...queued,
    });
    await declare(tx, made, declaration);
    return made;
  }).catch(busyIfTimeout);
  if (asset.status === "PROCESSING" && asset.turn_at !== null)
    ctx.waker.wake("asset", "advance", asset.id);
  return viewAsset(asset, ctx.config);
}

function requirePublic({ config }: Context, url: string): void {
  const policy = { allowLoopback: config.fetch.allowLoopback };
  const fault = faultOfUrl(url, ["https:", "http:"], policy);
  if (fault !== null) throw invalid("url", textOfUrlFault(fault));
}

/** One transaction of an account at a time: an output that is saved twice at once is one asset. */
async function findSaved(tx: Tx, caller: Caller, bytes: Bytes): Promise<AssetRow | undefined> {
  if ((await lockAccountHere(tx, caller.id)) === undefined) throw new ApiError("unauthorized"); // closed just now
  return findTwin(tx, caller.id, bytes);
}

/** Checks at once what is known of an output, and returns what finds an asset of it. */
async function requireOutput(
  { db, config }: Context,
  caller: Caller,
  ref: OutputRef | "gone",
  { type: wanted, url }: UploadBody,
): Promise<Bytes> {
  const media = ref === "gone" ? undefined : await findOutput(db, caller.id, ref);
  if (ref === "gone" || media === undefined)
    throw invalid("url", { en: "there is no such output", zh: "没有此输出" });
  const { type, sizeBytes } = factsOfOutput(media);
  if (type !== wanted)
    throw invalid("type", {
      en: `must be ${type}, as the output is`,
      zh: `必须是 ${type}，与该输出一致`,
    });
  if (sizeBytes > fileBytesMax)
    throw invalid("url", `must be at most 200 MB, but the output has ${sizeBytes} bytes`);
  const { publicUrl } = config.links;
  return {
    type: wanted,
    sizeBytes,
    sha256: media.sha256,
    reviewers: reviewersOf(config.review, wanted),
    urls: [url, textOfOutput(ref), mediaUrl(publicUrl, media.key)].concat(
      ref.index === 0 ? `task://${ref.task}` : [],
    ),
  };
}
