import type { Script } from "../../kit/script.ts";
import type { AssetFailure, AssetType } from "./inspect-media.ts";

export const assetStatuses = ["Processing", "Active", "Failed"] as const;
export type AssetStatus = (typeof assetStatuses)[number];

export interface AssetGroup {
  id: string;
  projectName: string;
  name: string;
  description: string;
  createdAtMs: number;
}

export interface Asset {
  id: string;
  groupId: string;
  projectName: string;
  name: string;
  type: AssetType;
  /** The URL from which it was fetched. */
  sourceUrl: string;
  strategy: "Default" | "Skip";
  status: AssetStatus;
  error: AssetFailure | null;
  script: Script;
  createdAtMs: number;
  updatedAtMs: number;
}
