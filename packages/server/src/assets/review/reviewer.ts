import type { ReviewScores } from "../../db/tables/assets.ts";
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
  | JudgedVerdict
  /** No verdict yet: ask again later, after this time if the reviewer knows that it takes longer. */
  | { kind: "waiting"; forMs?: number };

export interface JudgedVerdict {
  /**
   * `unsure`: doubt about the content, the next reviewer decides. `unable`: this reviewer does not
   * support such a file, whatever its content.
   */
  kind: "passed" | "refused" | "unsure" | "unable";
  reason: string;
  scores?: ReviewScores;
}
