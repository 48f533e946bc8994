import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";

/** What the hostile accounts share. One of each kind. */
export interface HostileContext {
  apiUrl: string;
  databaseUrl: string;
  /** Where their files come from: one server of this run, on loopback. */
  filesUrl: string;
  /** Takes any callback and answers 200. */
  receiverUrl: string;
  accounts: Record<HostileName, OpenedAccount>;
  /** The account with the heavy edits owns this asset. */
  heavyAsset: string;
  storageDir: string;
}

export const hostileNames = [
  "dripping-urls",
  "redeliveries",
  "heavy-edits",
  "locked-rows",
  "key-guessing",
  "documents",
  "streams",
  "deep-listings",
  "oversized-uploads",
  "poisoned-rows",
] as const;
export type HostileName = (typeof hostileNames)[number];

/** Works against the service until stopped. `note` counts what it was answered. */
export type Hostile = (
  context: HostileContext,
  account: OpenedAccount,
  stop: AbortSignal,
  note: (what: string) => void,
) => Promise<void>;
