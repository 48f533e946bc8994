import type { reviewerNames } from "../../settings.ts";
import type { AssetRow } from "../queries.ts";

/**
 * Reviews an asset whose copy is stored. Each asset type has a list of reviewers; each is asked after
 * the previous one has passed the asset or was unsure. May be called more than once for the same
 * asset.
 */
export interface Reviewer {
  review(asset: AssetRow): Promise<Verdict>;
}

export type ReviewerName = (typeof reviewerNames)[number];

/** `reason` is recorded; that of a refusal is also shown to the owner. */
export type Verdict =
  | { kind: "passed"; reason: string }
  | { kind: "refused"; reason: string }
  | { kind: "unsure"; reason: string } // doubt about the content: the next reviewer decides
  | { kind: "unable"; reason: string } // this reviewer does not support such a file, whatever its content
  | { kind: "waiting" }; // no verdict yet: ask again later
