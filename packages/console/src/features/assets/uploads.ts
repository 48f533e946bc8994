import type { Asset, Zoetrope } from "@zoetrope/sdk";
import type { AssetType } from "./file-type.ts";
import { readKept } from "./kept-uploads.ts";

export interface Declared {
  people: string;
  purpose: string;
  form: File | null;
}

export interface Wanted {
  file: File;
  type: AssetType;
  declared: Declared | null;
  /** Resumes an upload of an earlier visit. */
  uploadId: string | null;
}

export interface Sending {
  id: number;
  name: string;
  type: AssetType;
  size: number;
  /** null: begun before the page was reloaded, so the file has to be chosen again. */
  wanted: Wanted | null;
  status: "waiting" | "sending" | "paused" | "failed" | "done" | "unfinished";
  /** The share that has arrived, 0 to 1. */
  share: number;
  uploadId: string | null;
  hasDeclaration: boolean;
  error: unknown;
}

/** The uploads of an account. They go on while other pages are open. */
export interface Uploads {
  readonly accountId: string;
  readonly client: Zoetrope;
  onDone(asset: Asset): void;
  /** The abort controllers of the uploads in progress. */
  readonly controllers: Map<number, AbortController>;
  newId(): number;
  getState(): readonly Sending[];
  set(state: readonly Sending[]): void;
  subscribe(listener: () => void): () => void;
}

export function createUploads(
  accountId: string,
  client: Zoetrope,
  onDone: (asset: Asset) => void,
): Uploads {
  const listeners = new Set<() => void>();
  let lastId = 0;
  const newId = () => {
    lastId += 1;
    return lastId;
  };
  let state: readonly Sending[] = readKept(accountId).map((kept) => ({
    ...kept,
    id: newId(),
    wanted: null,
    status: "unfinished" as const,
    share: 0,
    error: null,
  }));
  return {
    accountId,
    client,
    onDone,
    controllers: new Map(),
    newId,
    getState: () => state,
    set(next) {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
