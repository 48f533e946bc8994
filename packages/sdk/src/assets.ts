import { get } from "./calls.ts";
import type { DeleteAssetAnswer, ListAssetsAnswer, ListAssetsQuery } from "./generated.ts";
import type { FileLike } from "./read-file.ts";
import { type FileMemory, readAsset, waitForAsset } from "./take-files.ts";
import { type CallOptions, sendForJson, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";
import { type UploadOptions, uploadFile } from "./upload-file.ts";

export function assetCalls(transport: Transport, memory: FileMemory) {
  return {
    /** Sends a file in chunks. The same file again resumes an upload that was interrupted. */
    upload: (file: FileLike, options: UploadOptions): Promise<Asset> =>
      uploadFile(transport, memory.interrupted, file, options),
    /** Has the service fetch a file. */
    fetchUrl: (
      url: string,
      type: AssetType,
      options: CallOptions & { name?: string | undefined } = {},
    ): Promise<Asset> => {
      const { name, ...rest } = options;
      const body = { url, type, ...(name === undefined ? {} : { name }) };
      const call = { method: "POST" as const, path: "/api/v1/assets/upload", body };
      return sendForJson(transport, { ...call, ...rest });
    },
    get: (assetId: number | string, { signal }: CallOptions = {}): Promise<Asset> =>
      readAsset(transport, assetId, signal),
    /** Until its review is over. */
    wait: async (assetId: number | string, options: CallOptions = {}): Promise<Asset> =>
      waitForAsset(transport, await readAsset(transport, assetId, options.signal), options),
    list: (query: Partial<ListAssetsQuery> = {}, options: CallOptions = {}) =>
      get<ListAssetsAnswer>(transport, "/api/v1/assets/list", query, options),
    delete: (assetId: number | string, options: CallOptions = {}): Promise<DeleteAssetAnswer> => {
      const call = { method: "DELETE" as const, path: "/api/v1/assets", query: { assetId } };
      return sendForJson(transport, { ...call, ...options });
    },
  };
}
