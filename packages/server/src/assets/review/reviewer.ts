import type { ReviewScores } from "../../db/tables/assets.ts";
import type { reviewerNames } from "../../settings/settings.ts";
import type { AssetRow } from "../queries.ts";
import type { RefusalCode } from "./reasons.ts";

/**
 * Reviews an asset whose copy is stored. Each asset type has a list of reviewers; each is asked after
 * the previous one has passed the asset or was unsure. May be called more than once for the same
 * asset.
 */
export interface Reviewer {
  review(asset: AssetRow): Promise<Verdict>;
}

export type ReviewerName = (typeof reviewerNames)[number];

type Reviewers = Readonly<Record<"image" | "video" | "audio", readonly ReviewerName[]>>;

/** The reviewers of a type, in the order in which they are asked. */
export function reviewersOf(
  { image, video, audio }: Reviewers,
  type: AssetRow["type"],
): readonly ReviewerName[] {
  return { IMAGE: image, VIDEO: video, AUDIO: audio }[type];
}

/**
 * The verdict of a reviewer. `reason` is recorded. The owner of a refused asset gets the text of its
 * `code`, or without a code the reason.
 */
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
  code?: RefusalCode;
  scores?: ReviewScores;
}
