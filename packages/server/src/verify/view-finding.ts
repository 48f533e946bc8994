import type { Mark } from "../labels/read-marks.ts";
import type { FoundOutput } from "./find-outputs.ts";
import type { Verification } from "./schema.ts";

interface Finding {
  sha256: string;
  made: readonly FoundOutput[];
  similar: readonly FoundOutput[];
  isOpened: boolean;
  marks: Mark[];
}

/**
 * What a stranger learns: the oldest output that fits, without its task and account. The date has no
 * time of day, by which tasks could be told apart.
 */
export function viewFinding({ sha256, made, similar, isOpened, marks }: Finding): Verification {
  const [output] = made.length > 0 ? made : similar;
  return {
    result: resultOf(made.length > 0 || marks.some(isOurs), similar.length > 0, marks.length > 0),
    madeOn: output?.madeAt.toISOString().slice(0, 10) ?? null,
    madeAs: output?.kind ?? null,
    isOpened,
    marks,
    sha256,
  };
}

function isOurs(mark: Mark): boolean {
  return mark.kind === "C2PA" && mark.signer === "ours" && mark.isValid;
}

function resultOf(isMade: boolean, isSimilar: boolean, isMarked: boolean): Verification["result"] {
  if (isMade) return "made_here";
  if (isSimilar) return "similar";
  return isMarked ? "labelled" : "nothing_found";
}
