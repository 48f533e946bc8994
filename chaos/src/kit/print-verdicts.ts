import { print } from "@zoetrope/testkit/print.ts";
import type { Verdict } from "../check/invariants.ts";

/** Each invariant, and the rows that violate it. */
export function printVerdicts(verdicts: Verdict[]): void {
  const shownMax = 5;
  const rowsShownMax = 8;
  print("\ninvariants");
  for (const { id, claim, violations } of verdicts) {
    const verdict = violations.length === 0 ? "ok" : `VIOLATED (${violations.length})`;
    print(`  ${id.padEnd(4)} ${verdict.padEnd(4)} ${claim}`);
    for (const { what, rows } of violations.slice(0, shownMax)) {
      print(`         ${what}`);
      for (const row of rows.slice(0, rowsShownMax)) print(`           ${JSON.stringify(row)}`);
    }
  }
}
