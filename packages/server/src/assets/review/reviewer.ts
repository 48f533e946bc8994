import type { reviewerNames } from "../../config.ts";
import type { AssetRow } from "../queries.ts";

/**
 * Judges an asset whose copy is stored. Reviewers stand in a line per type; each is asked after the
 * one before it has passed the asset or was unsure. May be asked more than once for the same asset.
 */
export interface Reviewer {
  review(asset: AssetRow): Promise<Verdict>;
}

export type ReviewerName = (typeof reviewerNames)[number];

/** `reason` is kept on record; that of a refusal is also told to the asset's owner. */
export type Verdict =
  | { kind: "passed"; reason: string }
  | { kind: "refused"; reason: string }
  | { kind: "unsure"; reason: string } // doubt about the content: somebody else has to decide
  | { kind: "unable"; reason: string } // this reviewer does not take such a file, whatever it shows
  | { kind: "waiting" }; // no answer yet: ask again later
