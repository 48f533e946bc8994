import { access, constants } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Asset,
  type AssetReadiness,
  type AssetType,
  assetNameOf,
  type Model,
} from "@zoetrope/sdk";
import { CliError, usageError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { fieldsOf, type MediaType } from "../models/fields.ts";
import type { Session } from "../session.ts";

type Show = (text: string) => void;
/** The state that an asset must have reached before it is used. */
type Until = "sent" | AssetReadiness;

const assetTypes: Readonly<Record<MediaType, AssetType>> = {
  image: "IMAGE",
  video: "VIDEO",
  audio: "AUDIO",
};

/** Uploads of this run by type and path: a batch that names a file often uploads it once. */
export type Uploads = Map<string, Promise<Asset>>;

interface Uploading {
  uploads: Uploads;
  /** Without it, until the model takes the file. */
  until?: Until;
  show: Show;
}

/** The inputs with every local file replaced by the asset that it was uploaded as. */
export async function uploadInputs(
  session: Session,
  model: Model,
  inputs: Readonly<Record<string, unknown>>,
  { uploads, until = { usableBy: model.model }, show }: Uploading,
): Promise<Record<string, unknown>> {
  const takeOne = async (media: MediaType, value: unknown): Promise<unknown> => {
    if (typeof value !== "string" || isUrl(value)) return value;
    const type = assetTypes[media];
    const key = `${type} ${value}`;
    const uploading = uploads.get(key) ?? uploadFile(session, value, { type, until, show });
    uploads.set(key, uploading);
    return `asset://${(await uploading).upstreamAssetId}`;
  };
  const taken = { ...inputs };
  for (const { name, media } of fieldsOf(model)) {
    const values = inputs[name];
    if (media === null || !Array.isArray(values)) continue;
    taken[name] = await Promise.all(values.map((value) => takeOne(media, value)));
  }
  return taken;
}

export function isUrl(text: string): boolean {
  return /^(https?|asset|task):\/\//i.test(text);
}

/**
 * Returns the asset of a file. The service returns the same one for the same bytes, so that a
 * command that is repeated with its idempotency key sends the same body.
 */
export async function uploadFile(
  { client, signal }: Session,
  path: string,
  { type, until, show }: { type: AssetType; until: Until; show: Show },
): Promise<Asset> {
  const name = basename(path);
  await access(path, constants.R_OK).catch(() => {
    throw usageError(`${path} cannot be read.`, "Give the path of a file, or a URL.");
  });
  show(`Uploading ${name}`);
  const sent = await client.assets.upload(pathToFileURL(path), {
    type,
    name: assetNameOf(name),
    signal,
    onProgress: (share) => show(`Uploading ${name} · ${Math.floor(share * 100)} %`),
  });
  const what = sent.size === null ? "copy" : "review";
  if (until !== "sent" && sent.status === "PROCESSING")
    show(`Waiting for the ${what} of ${name}, asset ${sent.assetId}`);
  const asset = until === "sent" ? sent : await client.assets.wait(sent.assetId, { until, signal });
  if (asset.status !== "FAILED") return asset;
  const reason = asset.failReason ?? "no reason was given";
  throw new CliError(`${path} was refused: ${reason}`, {
    exitCode: exitCodes.taskFailed,
    code: "asset_refused",
    next: "Use another file. Nothing was charged.",
  });
}
