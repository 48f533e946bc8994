import { print } from "@zoetrope/testkit/print.ts";

/** Prints each line once, with how often it is there. */
export function printCounts(lines: Iterable<string>): void {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const [line, count] of [...counts].sort()) print(`  ${String(count).padStart(6)}  ${line}`);
}

/** Prints the first of what is wrong, and how much more there is. */
export function printFaults(title: string, faults: readonly string[], shownMax = 10): void {
  for (const fault of faults.slice(0, shownMax)) print(`  ${title} ${fault}`);
  if (faults.length > shownMax) print(`  and ${faults.length - shownMax} more`);
}
