import { get } from "./calls.ts";
import { TimeoutError } from "./errors.ts";
import type {
  DeclarationInput,
  DeleteAssetAnswer,
  ListAssetsAnswer,
  ListAssetsQuery,
} from "./generated.ts";
import type { FileLike } from "./read-file.ts";
import { type FileMemory, readAsset, waitForAsset } from "./take-files.ts";
import { type CallOptions, limitTime, sendForJson, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";
import { type FormOptions, type UploadOptions, uploadFile, uploadForm } from "./upload-file.ts";

export function assetCalls(transport: Transport, memory: FileMemory) {
  return {
    /** Sends a file in chunks. The same file again resumes an upload that was interrupted. */
    upload: (file: FileLike, options: UploadOptions): Promise<Asset> =>
      uploadFile(transport, memory.interrupted, file, options),
    /** Sends the signed form of a declaration and answers its `formUploadId`. */
    uploadForm: (file: FileLike, options: FormOptions = {}): Promise<string> =>
      uploadForm(transport, memory.interrupted, file, options),
    /** Has the service fetch a file. */
    fetchUrl: (
      url: string,
      type: AssetType,
      options: CallOptions & {
        name?: string | undefined;
        declaration?: DeclarationInput | undefined;
      } = {},
    ): Promise<Asset> => {
      const { name, declaration, ...rest } = options;
      const body = {
        ...{ url, type, ...(name === undefined ? {} : { name }) },
        ...(declaration === undefined ? {} : { declaration }),
      };
      const call = { method: "POST" as const, path: "/api/v1/assets/upload", body };
      return sendForJson(transport, { ...call, ...rest });
    },
    get: (assetId: number | string, options: CallOptions = {}): Promise<Asset> =>
      readAsset(transport, assetId, options),
    /** Until its review is over, or for `timeoutMs` in all. */
    wait: async (assetId: number | string, options: CallOptions = {}): Promise<Asset> => {
      const message = `The review of asset ${assetId} is not over after ${options.timeoutMs} ms.`;
      const { signal, end } = limitTime(options, () => new TimeoutError(message));
      try {
        const asset = await readAsset(transport, assetId, { signal });
        return await waitForAsset(transport, asset, { signal });
      } finally {
        end();
      }
    },
    list: (query: Partial<ListAssetsQuery> = {}, options: CallOptions = {}) =>
      get<ListAssetsAnswer>(transport, "/api/v1/assets/list", query, options),
    delete: (assetId: number | string, options: CallOptions = {}): Promise<DeleteAssetAnswer> => {
      const call = { method: "DELETE" as const, path: "/api/v1/assets", query: { assetId } };
      return sendForJson(transport, { ...call, ...options });
    },
  };
}
