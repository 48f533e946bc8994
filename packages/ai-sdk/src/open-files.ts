import {
  type FilesV4,
  type FilesV4UploadFileCallOptions,
  type FilesV4UploadFileResult,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { type AssetType, assetNameOf } from "@zoetrope/sdk";
import { toCallError } from "./call-errors.ts";
import type { Connection } from "./settings.ts";
import { refusedFile, toBytes } from "./take-file.ts";

/** Uploads to the asset library. The reference is `asset://…`, which `providerOptions.zoetrope` takes. */
export function openFiles(connect: () => Connection): FilesV4 {
  return {
    specificationVersion: "v4",
    provider: "zoetrope.files",
    uploadFile: (options) => uploadFile(connect(), options),
  };
}

async function uploadFile(
  { client, baseUrl }: Connection,
  options: FilesV4UploadFileCallOptions,
): Promise<FilesV4UploadFileResult> {
  const { data, mediaType, filename, abortSignal: signal } = options;
  if (data.type !== "data")
    throw new UnsupportedFunctionalityError({ functionality: `upload of a file as ${data.type}` });
  const bytes = toBytes(data.data);
  const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType });
  try {
    const type = typeOf(mediaType);
    const name = filename === undefined ? undefined : assetNameOf(filename);
    const uploaded = await client.assets.upload(file, { type, name, signal });
    const asset = await client.assets.wait(uploaded.assetId, { until: "stored", signal });
    if (asset.status === "FAILED") throw refusedFile(asset);
    return {
      providerReference: { zoetrope: `asset://${asset.upstreamAssetId}` },
      mediaType,
      byteSize: bytes.length,
      providerMetadata: {
        zoetrope: {
          assetId: asset.assetId,
          status: asset.status,
          usableBy: asset.usableBy,
          usableAfterReview: asset.usableAfterReview,
        },
      },
      warnings: asset.usableAfterReview.map((model) => ({
        type: "other",
        message: `The file is in review: ${model} takes it once it has passed.`,
      })),
    };
  } catch (error) {
    const url = `${baseUrl}/api/v1/assets/uploads`;
    throw toCallError(error, { url, isRepeatable: false });
  }
}

function typeOf(mediaType: string): AssetType {
  const [top = ""] = mediaType.split("/");
  const type = ({ image: "IMAGE", video: "VIDEO", audio: "AUDIO" } as const)[top];
  if (type !== undefined) return type;
  throw new UnsupportedFunctionalityError({
    functionality: `upload of a file of type ${mediaType}`,
  });
}
