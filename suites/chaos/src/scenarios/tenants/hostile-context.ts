import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";

/** The parts of the stack that the hostile accounts share, and one account of each kind. */
export interface HostileContext {
  apiUrl: string;
  databaseUrl: string;
  /** The address of their files: one server of this run, on loopback. */
  filesUrl: string;
  /** The URL of a receiver that responds with 200 to any callback. */
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
  "guessed-links",
  "agents",
] as const;
export type HostileName = (typeof hostileNames)[number];

/** Works against the service until stopped. `note` counts the responses. */
export type Hostile = (
  context: HostileContext,
  account: OpenedAccount,
  stop: AbortSignal,
  note: (what: string) => void,
) => Promise<void>;
