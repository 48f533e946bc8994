import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Asset, type AssetType, type Model, NotFoundError } from "@zoetrope/sdk";
import { CliError, usageError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { cachePath, readCache, writeCache } from "../models/cached-models.ts";
import { type Field, fieldsOf, type MediaType } from "../models/fields.ts";
import type { Session } from "../session.ts";

type Show = (text: string) => void;
/** How far an asset must be before it is used. */
type Until = "sent" | "stored" | "reviewed";

const assetTypes: Readonly<Record<MediaType, AssetType>> = {
  image: "IMAGE",
  video: "VIDEO",
  audio: "AUDIO",
};
/** Uploads whose assets are remembered between runs. */
const rememberedMax = 1_000;

/** Uploads of this run by type and path: a batch that names a file often uploads it once. */
export type Uploads = Map<string, Promise<Asset>>;

/** The inputs with every local file replaced by the asset that it was uploaded as. */
export async function uploadInputs(
  session: Session,
  model: Model,
  inputs: Readonly<Record<string, unknown>>,
  { uploads, show }: { uploads: Uploads; show: Show },
): Promise<Record<string, unknown>> {
  const taken = { ...inputs };
  for (const field of fieldsOf(model)) {
    const values = inputs[field.name];
    if (field.media === null || !Array.isArray(values)) continue;
    taken[field.name] = await Promise.all(
      values.map((value) => takeOne(session, field, value, { uploads, show })),
    );
  }
  return taken;
}

async function takeOne(
  session: Session,
  { media, needsReview }: Field,
  value: unknown,
  { uploads, show }: { uploads: Uploads; show: Show },
): Promise<unknown> {
  if (media === null || typeof value !== "string" || isUrl(value)) return value;
  const type = assetTypes[media];
  const key = `${type} ${value}`;
  const until = needsReview ? "reviewed" : "stored";
  const uploading = uploads.get(key) ?? uploadOnce(session, value, { type, until, show });
  uploads.set(key, uploading);
  return `asset://${(await uploading).upstreamAssetId}`;
}

export function isUrl(text: string): boolean {
  return /^(https?|asset):\/\//i.test(text);
}

/**
 * The asset of a file, from an earlier run if it is still there: a command that is repeated with its
 * idempotency key sends the same body.
 */
export async function uploadOnce(
  session: Session,
  path: string,
  options: { type: AssetType; until: Until; show: Show },
): Promise<Asset> {
  const { type, show } = options;
  const { client, login, signal } = session;
  const cache = cachePath("uploads", login);
  const key = `${type} ${await hashFile(path)}`;
  const known = (await readCache<Record<string, string>>(cache)) ?? {};
  const before = known[key] === undefined ? null : await findAsset(session, known[key]);
  if (before !== null) return waitForAsset(session, before, path, options);
  const name = basename(path);
  show(`Uploading ${name}`);
  const uploaded = await client.assets.upload(await openAsBlob(path), {
    type,
    name: name.slice(0, 100),
    signal,
    onProgress: (share) => show(`Uploading ${name} · ${Math.floor(share * 100)} %`),
  });
  const asset = await waitForAsset(session, uploaded, path, options);
  const now = (await readCache<Record<string, string>>(cache)) ?? {};
  const entries = [...Object.entries(now), [key, asset.upstreamAssetId] as const];
  await writeCache(cache, Object.fromEntries(entries.slice(-rememberedMax)));
  return asset;
}

async function findAsset({ client, signal }: Session, id: string): Promise<Asset | null> {
  try {
    const asset = await client.assets.get(id, { signal });
    return asset.status === "FAILED" ? null : asset;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

async function waitForAsset(
  { client, signal }: Session,
  given: Asset,
  path: string,
  { until, show }: { until: Until; show: Show },
): Promise<Asset> {
  let asset = given;
  const isThere = () =>
    asset.status !== "PROCESSING" ||
    until === "sent" ||
    (until === "stored" && asset.size !== null);
  for (let ms = 250; !isThere(); ms = Math.min(ms * 1.5, 10_000)) {
    const what = until === "reviewed" ? "review" : "copy";
    show(`Waiting for the ${what} of ${basename(path)}, asset ${asset.assetId}`);
    await delay(ms, undefined, { signal });
    asset = await client.assets.get(asset.assetId, { signal });
  }
  if (asset.status !== "FAILED") return asset;
  const reason = asset.failReason ?? "no reason was given";
  throw new CliError(`${path} was refused: ${reason}`, {
    exitCode: exitCodes.taskFailed,
    code: "asset_refused",
    next: "Use another file. Nothing was charged.",
  });
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  } catch {
    throw usageError(`${path} cannot be read.`, "Give the path of a file, or a URL.");
  }
  return hash.digest("hex");
}
