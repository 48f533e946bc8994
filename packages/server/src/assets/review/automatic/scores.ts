import type { ReviewScores } from "../../../db/tables/assets.ts";
import type { Config } from "../../../settings/config.ts";
import type { JudgedVerdict } from "../reviewer.ts";

export type Scores = ReviewScores;

/** The least a score must exceed to matter. */
export type Thresholds = Pick<
  Config["review"],
  "nsfwRefusedAbove" | "nsfwUnsureAbove" | "faceAbove"
>;

/** The worst of every view: a video is judged by each of its frames. */
export function worstOf(views: readonly Scores[]): Scores {
  const worst = (name: keyof Scores) => Math.max(0, ...views.map((scores) => scores[name]));
  return { explicit: worst("explicit"), sexual: worst("sexual"), face: worst("face") };
}

/** A face is no refusal: whether it is that of a real person, the next reviewer decides. */
export function verdictOf(
  what: "image" | "video",
  scores: Scores,
  limits: Thresholds,
): JudgedVerdict {
  if (scores.explicit > limits.nsfwRefusedAbove)
    return { kind: "refused", code: "sexual", reason: `The ${what} shows sexual content.` };
  if (scores.sexual > limits.nsfwUnsureAbove)
    return { kind: "unsure", code: "sexual", reason: `The ${what} may show sexual content.` };
  if (scores.face > limits.faceAbove)
    return {
      kind: "unsure",
      code: "consent_missing",
      reason: `The ${what} seems to show a real person.`,
    };
  const { explicit, sexual, face } = scores;
  const found = [
    `explicit ${digits(explicit)}`,
    `sexual ${digits(sexual)}`,
    `face ${digits(face)}`,
  ];
  return { kind: "passed", reason: `Nothing found: ${found.join(", ")}.` };
}

function digits(score: number): string {
  return score.toFixed(2);
}
