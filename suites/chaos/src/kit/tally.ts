import { print } from "@zoetrope/testkit/print.ts";

/** Prints each distinct line with its count. */
export function printCounts(lines: Iterable<string>): void {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const [line, count] of [...counts].sort()) print(`  ${String(count).padStart(6)}  ${line}`);
}

/** Prints the first faults and the number of the others. */
export function printFaults(title: string, faults: readonly string[], shownMax = 10): void {
  for (const fault of faults.slice(0, shownMax)) print(`  ${title} ${fault}`);
  if (faults.length > shownMax) print(`  and ${faults.length - shownMax} more`);
}
