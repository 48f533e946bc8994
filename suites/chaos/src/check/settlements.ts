import { linesOf, requestsOf } from "../kit/client-log.ts";
import type { Evidence, Violation } from "./evidence.ts";
import { firstHoldOf, priceOf } from "./prices.ts";
import type { TaskRow, TransferKind } from "./rows.ts";
import { isTerminal } from "./statuses.ts";

/**
 * I7: a completed task was charged once and a failed one released, and the amount is the price of the
 * request. A hold is raised once, to the price; a task that fails before that gives back what was held.
 */
export function checkSettlements(
  { rows, clients }: Evidence,
  deploymentSchedule: "A" | "B" = "A",
): Violation[] {
  const accounts = new Map(rows.accounts.map((account) => [account.id, account]));
  const transfers = Map.groupBy(rows.transfers, (row) => row.causeId);
  const requests = requestsOf(clients);
  const used = new Map(
    linesOf(clients, "last").map((line) => [line.taskId, line.task.creditsUsed]),
  );

  function faultsOf(task: TaskRow): string[] {
    const requested = requests.get(task.id) ?? {
      model: task.model,
      outputResolution: task.request.outputResolution,
      seconds: task.request.durationSeconds,
    };
    const schedule = accounts.get(task.accountId)?.schedule ?? deploymentSchedule;
    const posted = transfers.get(task.id) ?? [];
    const of = (kind: TransferKind) => posted.filter((row) => row.kind === kind);
    const count = (kind: TransferKind) => of(kind).length;
    const first = firstHoldOf(requested, schedule);
    const isUnmeasured = task.status === "FAILED" && count("raise") === 0;
    const price = isUnmeasured ? first : priceOf(requested, schedule);
    const dueOf: Partial<Record<TransferKind, number | undefined>> = {
      hold: first,
      raise: (price ?? Number.NaN) - (first ?? Number.NaN),
      capture: price,
      release: price,
    };
    const faults: string[] = [];
    if (task.credits !== price) faults.push(`costs ${task.credits}, the price is ${price}`);
    if (posted.some(({ kind, amount }) => amount !== dueOf[kind]))
      faults.push(
        `moved ${posted.map((row) => `${row.kind} ${row.amount}`)}, the price is ${price}`,
      );
    if (count("hold") !== 1) faults.push(`has ${count("hold")} holds`);
    const raises = price === first ? 0 : 1;
    if (count("raise") !== raises) faults.push(`has ${count("raise")} raises`);
    const captures = task.status === "COMPLETED" ? 1 : 0;
    const releases = task.status === "FAILED" ? 1 : 0;
    if (count("capture") !== captures) faults.push(`has ${count("capture")} captures`);
    if (count("release") !== releases) faults.push(`has ${count("release")} releases`);
    const shown = used.get(task.id);
    const due = task.status === "COMPLETED" ? price : 0;
    if (shown !== undefined && isTerminal(task.status) && shown !== due)
      faults.push(`says creditsUsed ${shown} instead of ${due}`);
    return faults;
  }

  return rows.tasks.flatMap((task) =>
    faultsOf(task).map((fault) => ({
      what: `task ${task.id} (${task.status}) ${fault}`,
      rows: [task, ...(transfers.get(task.id) ?? [])],
    })),
  );
}
