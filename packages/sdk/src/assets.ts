import { get, write } from "./calls.ts";
import { TimeoutError } from "./errors.ts";
import type {
  DeclarationInput,
  DeleteAssetAnswer,
  ListAssetsAnswer,
  ListAssetsQuery,
} from "./generated.ts";
import { known, type Names, requireKnown } from "./known-options.ts";
import { queryNames } from "./query-names.ts";
import type { FileLike } from "./read-file.ts";
import { type AssetReadiness, type FileMemory, readAsset, waitForAsset } from "./take-files.ts";
import { type CallOptions, limitTime, type Transport } from "./transport.ts";
import type { Asset, AssetType } from "./types.ts";
import {
  type FormOptions,
  formNames,
  type UploadOptions,
  uploadFile,
  uploadForm,
  uploadNames,
} from "./upload-file.ts";

/** The most that the service takes. */
const nameCharactersMax = 64;

/** The name of a file as an asset can have it: a long one is cut. */
export function assetNameOf(fileName: string): string {
  return fileName.slice(0, nameCharactersMax).replace(/[\uD800-\uDBFF]$/, ""); // not half a character
}

export interface WaitAssetOptions extends CallOptions {
  /** `stored`: it has a copy. `{ usableBy }`: that model takes it. Without it, until it is reviewed. */
  until?: AssetReadiness | undefined;
}

const waitNames: Names<WaitAssetOptions> = { ...known.call, until: true };

export function assetCalls(transport: Transport, memory: FileMemory) {
  return {
    /** Sends a file in chunks. Sending it again resumes an upload that was interrupted. */
    upload: async (file: FileLike, options: UploadOptions): Promise<Asset> =>
      uploadFile(transport, memory.interrupted, file, requireKnown(options, uploadNames)),
    /** Sends the signed form of a declaration and returns its `formUploadId`. */
    uploadForm: async (file: FileLike, options: FormOptions = {}): Promise<string> =>
      uploadForm(transport, memory.interrupted, file, requireKnown(options, formNames)),
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
      const body = { url, type, name, declaration };
      return write(transport, { method: "POST", path: "/api/v1/assets/upload", body }, rest);
    },
    get: (assetId: number | string, options: CallOptions = {}): Promise<Asset> =>
      readAsset(transport, assetId, options),
    /** Until its review is over, or as far as `until` says, or for `timeoutMs` in all. */
    wait: async (assetId: number | string, options: WaitAssetOptions = {}): Promise<Asset> => {
      const { until = "reviewed" } = requireKnown(options, waitNames);
      const message = `The review of asset ${assetId} is not over after ${options.timeoutMs} ms.`;
      const late = () => new TimeoutError(message, { phase: "review" });
      const { signal, end } = limitTime(options, late);
      try {
        const asset = await readAsset(transport, assetId, { signal });
        return await waitForAsset(transport, asset, { until, signal });
      } finally {
        end();
      }
    },
    list: async (
      query: Partial<ListAssetsQuery> = {},
      options: CallOptions = {},
    ): Promise<ListAssetsAnswer> =>
      get(transport, "/api/v1/assets/list", requireKnown(query, queryNames.listAssets), options),
    delete: (assetId: number | string, options: CallOptions = {}): Promise<DeleteAssetAnswer> =>
      write(transport, { method: "DELETE", path: "/api/v1/assets", query: { assetId } }, options),
  };
}
