import type { Ends } from "./entry-points.ts";
import type { EntryPointName, Verdict } from "./rows.ts";
import type { Sent } from "./send-rows.ts";

/** The outcome of one request, and what is wrong with it, if anything. */
export interface Judged {
  sent: Sent;
  outcome: string;
  violation: string | null;
}

export function judgeRows(
  requests: readonly Sent[],
  ends: Readonly<Record<EntryPointName, Ends>>,
): Judged[] {
  return requests.map((sent) => {
    const { row, entryPoint, status, id, reason } = sent;
    const end = id === null ? reason : ends[entryPoint].get(id);
    const outcome = id === null ? `answered ${status}` : (end ?? "worked");
    const isKnown = status === 200 || status === 400;
    const violation = isKnown
      ? violationOf(row.verdicts[entryPoint] ?? "either", status === 200, end)
      : `answered ${status} ${reason ?? ""}`;
    return { sent, outcome, violation };
  });
}

function violationOf(
  verdict: Verdict,
  isLetIn: boolean,
  end: string | null | undefined,
): string | null {
  if (end === undefined) return "let in, and there is no record of it";
  if (verdict === "either") return null;
  if (verdict === "accept") return end === null ? null : `refused: ${end}`;
  if (end === null) return "let in, and it worked";
  if (verdict === "refuse at once") return isLetIn ? `let in, and ended later: ${end}` : null;
  if (verdict === "refuse" || verdict.test(end)) return null;
  return `not refused as ${verdict}: ${end}`;
}
