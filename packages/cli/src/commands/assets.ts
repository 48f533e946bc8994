import { basename, extname } from "node:path";
import type { Asset, AssetType } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { isUrl, uploadFile } from "../files/upload-inputs.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatBytes, formatTable, formatTime } from "../terminal/format.ts";
import { startSpinner } from "../terminal/spinner.ts";
import { more } from "./tasks.ts";

const typeOfExtension: Readonly<Record<string, AssetType>> = {
  ".png": "IMAGE",
  ".jpg": "IMAGE",
  ".jpeg": "IMAGE",
  ".webp": "IMAGE",
  ".bmp": "IMAGE",
  ".mp4": "VIDEO",
  ".mov": "VIDEO",
  ".webm": "VIDEO",
  ".wav": "AUDIO",
  ".mp3": "AUDIO",
};

/** Uploads files, or has the service fetch URLs, and waits for their review. */
export async function uploadAssets(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const { talk } = session;
  for (const path of invocation.args) {
    const asset = await uploadOne(session, path, invocation.options);
    talk.result(asset, () => [`asset://${cleanText(asset.upstreamAssetId)}  ${describe(asset)}`]);
  }
}

async function uploadOne(
  session: Session,
  path: string,
  options: Invocation["options"],
): Promise<Asset> {
  const { client, signal, talk } = session;
  const type = (textOption(options, "type")?.toUpperCase() as AssetType) ?? guessType(path);
  const isAsync = options["async"] === true;
  using spinner = startSpinner(talk);
  const show = (text: string) => spinner.show(text);
  if (!isUrl(path))
    return await uploadFile(session, path, { type, until: isAsync ? "sent" : "reviewed", show });
  const asset = await client.assets.fetchUrl(path, type, { signal });
  if (isAsync) return asset;
  show(`Waiting for the review of asset ${asset.assetId}`);
  return await client.assets.wait(asset.assetId, { signal });
}

function guessType(path: string): AssetType {
  const name = isUrl(path) ? new URL(path).pathname : path;
  const type = typeOfExtension[extname(name).toLowerCase()];
  if (type === undefined)
    throw usageError(`It is not clear what ${basename(name)} is.`, "Add --type image|video|audio.");
  return type;
}

export async function listAssets(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const { options } = invocation;
  const limit = numberOption(options, "limit");
  const cursor = numberOption(options, "cursor");
  const answer = await client.assets.list({ limit, cursor }, { signal });
  talk.result(answer, () => [
    ...formatTable(
      ["ASSET", "URL", "STATUS", "TYPE", "SIZE", "NAME", "CREATED"],
      answer.items.map(({ assetId, upstreamAssetId, status, type, size, name, createdAt }) => [
        assetId,
        `asset://${upstreamAssetId}`,
        status,
        type,
        size === null ? "" : formatBytes(size),
        name,
        formatTime(createdAt),
      ]),
    ),
    ...more(answer.nextCursor),
  ]);
}

export async function showAsset(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const asset = await client.assets.get(invocation.args[0] ?? "", { signal });
  talk.result(asset, () => [`asset://${cleanText(asset.upstreamAssetId)}  ${describe(asset)}`]);
}

function describe({ status, type, name, size, failReason }: Asset): string {
  const parts = [status, type, name, size === null ? null : formatBytes(size), failReason];
  return cleanText(parts.filter((part) => part !== null).join(" · "));
}
