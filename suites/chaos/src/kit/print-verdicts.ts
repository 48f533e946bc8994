import { print } from "@zoetrope/testkit/print.ts";
import type { Verdict } from "../check/invariants.ts";

const shownMax = 5;
const rowsShownMax = 8;

/** Prints each invariant, and the rows that show a violation. Returns how many violations there are. */
export function printVerdicts(verdicts: readonly Verdict[]): number {
  print("\ninvariants");
  for (const { id, claim, violations } of verdicts) {
    const verdict = violations.length === 0 ? "ok" : `VIOLATED (${violations.length})`;
    print(`  ${id.padEnd(4)} ${verdict.padEnd(4)} ${claim}`);
    for (const { what, rows } of violations.slice(0, shownMax)) {
      print(`         ${what}`);
      for (const row of rows.slice(0, rowsShownMax)) print(`           ${JSON.stringify(row)}`);
    }
  }
  return verdicts.reduce((sum, { violations }) => sum + violations.length, 0);
}
