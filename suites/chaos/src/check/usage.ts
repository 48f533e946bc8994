import type { Evidence, Violation } from "./evidence.ts";
import type { TaskRow, UsageRow } from "./rows.ts";

const hourMs = 60 * 60 * 1000;
const unitsMs = { hour: hourMs, day: 24 * hourMs };
type Unit = keyof typeof unitsMs;

/**
 * I17: usage by the hour and by the day is what the ledger captured and released in that time, for each
 * model, key and status, to the credit.
 */
export function checkUsage(evidence: Evidence): Violation[] {
  return [
    ...compare("hour", evidence.rows.usageHours, evidence),
    ...compare("day", evidence.rows.usageDays, evidence),
  ];
}

function compare(unit: Unit, usage: UsageRow[], { rows }: Evidence): Violation[] {
  const tasks = new Map(rows.tasks.map((task) => [task.id, task]));
  const due = new Map<string, Sum>();
  for (const { causeId, kind, accountId, amount, postedMs } of rows.transfers) {
    if (kind !== "capture" && kind !== "release") continue;
    const task = tasks.get(causeId);
    const start = Math.floor(postedMs / unitsMs[unit]) * unitsMs[unit];
    const status = kind === "capture" ? "COMPLETED" : "FAILED";
    const credits = kind === "capture" ? amount : 0;
    const videoMs = kind === "capture" ? lengthOf(task) : 0;
    const name = JSON.stringify([accountId, start, task?.kind, task?.model, task?.keyId, status]);
    add(due, name, { tasks: 1, credits, videoMs });
  }
  const recorded = new Map<string, Sum>();
  for (const { accountId, startId, kind, model, keyId, status, ...sum } of usage)
    add(recorded, JSON.stringify([accountId, timeOf(startId), kind, model, keyId, status]), sum);
  return [...new Set([...due.keys(), ...recorded.keys()])].flatMap((name) => {
    const [ledger, found] = [render(due.get(name)), render(recorded.get(name))];
    if (ledger === found) return [];
    return [{ what: `usage of ${unit} ${name} has ${found}, the ledger ${ledger}`, rows: [] }];
  });
}

interface Sum {
  tasks: number;
  credits: number;
  videoMs: number;
}

function add(sums: Map<string, Sum>, name: string, { tasks, credits, videoMs }: Sum): void {
  const sum = sums.get(name) ?? { tasks: 0, credits: 0, videoMs: 0 };
  sum.tasks += tasks;
  sum.credits += credits;
  sum.videoMs += videoMs;
  sums.set(name, sum);
}

function lengthOf(task: TaskRow | undefined): number {
  return (task?.output ?? []).reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
}

/** An id begins with 48 bits of milliseconds. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function render(sum: Sum | undefined): string {
  if (sum === undefined) return "nothing";
  return `${sum.tasks} tasks, ${sum.credits} credits, ${sum.videoMs} ms`;
}
