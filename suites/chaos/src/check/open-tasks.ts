import type { Evidence, Violation } from "./evidence.ts";
import { isTerminal } from "./statuses.ts";

/** I4: what is held, what is in flight and what is not terminal are the same; when idle, nothing. */
export function checkHoldsAreOpenTasks({ rows }: Evidence): Violation[] {
  const settled = new Set(
    rows.transfers.flatMap((row) =>
      row.kind === "capture" || row.kind === "release" ? row.causeId : [],
    ),
  );
  const held = rows.transfers
    .filter((row) => row.kind === "hold" && !settled.has(row.causeId))
    .map((row) => row.causeId);
  const unfinished = rows.tasks.filter((task) => !isTerminal(task.status)).map((task) => task.id);
  const inFlight = rows.openTasks.map((row) => row.taskId);
  return [
    ...differences("is held but not unfinished", held, unfinished),
    ...differences("is unfinished but not held", unfinished, held),
    ...differences("has an open row but is not unfinished", inFlight, unfinished),
    ...differences("is unfinished but has no open row", unfinished, inFlight),
    ...unfinished.map((id) => ({ what: `task ${id} is still unfinished when idle`, rows: [] })),
  ];
}

function differences(what: string, these: string[], those: string[]): Violation[] {
  const known = new Set(those);
  return these
    .filter((id) => !known.has(id))
    .map((id) => ({ what: `task ${id} ${what}`, rows: [] }));
}

/**
 * I5: an account never had more open tasks than its limit, after any commit in its history. A hold
 * is posted in the transaction that opens its task, a capture or release in the one that ends it.
 */
export function checkOpenTasksLimit({ rows }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const byAccount = Map.groupBy(rows.transfers, (row) => row.accountId);
  for (const { id, openTasksMax } of rows.accounts) {
    const open = new Set<string>();
    for (const transfer of byAccount.get(id) ?? []) {
      const { kind, causeId } = transfer;
      if (kind === "hold") open.add(causeId);
      if (kind === "capture" || kind === "release") open.delete(causeId);
      if (open.size <= openTasksMax) continue;
      const what = `account ${id} had ${open.size} open tasks, its limit is ${openTasksMax}`;
      violations.push({ what, rows: [...open] });
      break;
    }
  }
  return violations;
}
