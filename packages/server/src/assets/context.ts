import type { MediaContext } from "../context.ts";
import type { Reviewer, ReviewerName } from "./review/reviewer.ts";

export interface AssetsContext extends MediaContext {
  /** Those that this deployment has. An asset that needs a missing one waits, as for a person. */
  reviewers: Partial<Record<ReviewerName, Reviewer | undefined>>;
}
