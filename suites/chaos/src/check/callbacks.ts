import { isDeepStrictEqual } from "node:util";
import { linesOf } from "../kit/client-log.ts";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import type { Evidence, Violation } from "./evidence.ts";
import type { AttemptRow, DeliveryRow, TaskRow } from "./rows.ts";
import { faultOfSignature } from "./signature.ts";
import { isTerminal } from "./statuses.ts";

const attemptsMax = 4;

/** Returns the requests by the path of the callback URL; every task has its own path. */
function byPath(received: ReceivedRequest[]): Map<string, ReceivedRequest[]> {
  return Map.groupBy(received, (request) => request.path);
}

function pathOf(task: TaskRow): string {
  return task.callbackUrl === null ? "" : new URL(task.callbackUrl).pathname;
}

/**
 * Checks I8: the end of a task is sent to its callback URL in 1 to 4 attempts with one id, signed,
 * with the body that a query returns; the recorded attempts are those that the receiver saw.
 */
export function checkCallbacks({ rows, received, clients }: Evidence): Violation[] {
  const deliveries = Map.groupBy(rows.deliveries, (row) => row.taskId);
  const attempts = Map.groupBy(rows.attempts, (row) => row.deliveryId);
  const secrets = new Map(rows.accounts.map((account) => [account.id, account.webhookSecret]));
  const views = new Map(linesOf(clients, "last").map((line) => [line.taskId, line.task]));
  const requests = byPath(received);

  const ofTasks = rows.tasks.flatMap((task): Violation[] => {
    const queued = deliveries.get(task.id) ?? [];
    const isDue = task.callbackUrl !== null && isTerminal(task.status);
    const arrived = isDue ? (requests.get(pathOf(task)) ?? []) : [];
    const [delivery] = queued;
    const made = delivery === undefined ? [] : (attempts.get(delivery.id) ?? []);
    const secret = secrets.get(task.accountId) ?? "";
    const faults =
      queued.length !== (isDue ? 1 : 0)
        ? [`has ${queued.length} deliveries`]
        : delivery === undefined
          ? []
          : [
              ...faultsOfAttempts(delivery, made, arrived),
              ...arrived.flatMap((request) => faultOfSignature(request, secret) ?? []),
              ...faultsOfContent(arrived, views.get(task.id)),
            ];
    return faults.map((fault) => ({
      what: `the callback of task ${task.id}: ${fault}`,
      rows: [...queued, ...made, ...arrived],
    }));
  });
  return [...ofTasks, ...strayRequests(rows.tasks, requests)];
}

function faultsOfAttempts(
  delivery: DeliveryRow,
  made: AttemptRow[],
  arrived: ReceivedRequest[],
): string[] {
  const faults: string[] = [];
  if (made.length < 1 || made.length > attemptsMax) faults.push(`${made.length} attempts`);
  if (made.some((attempt, index) => attempt.number !== index + 1)) faults.push("a gap in attempts");
  if (arrived.length > made.length)
    faults.push(`${arrived.length} requests arrived, ${made.length} attempts are recorded`);
  for (const [status, recorded] of Map.groupBy(made, (attempt) => attempt.status)) {
    const answered = arrived.filter((request) => request.answered === status).length;
    if (status !== null && recorded.length > answered)
      faults.push(`${recorded.length} answers ${status} are recorded, ${answered} were given`);
  }
  if (new Set(arrived.map((request) => request.webhookId)).size > 1)
    faults.push("its requests have different ids");
  const wasAccepted = arrived.some(({ answered }) => answered !== null && answered < 300);
  if (delivery.isDelivered && !wasAccepted) faults.push("delivered, but never answered 2xx");
  if (delivery.isGivenUp && made.length < attemptsMax)
    faults.push(`given up after ${made.length} attempts`);
  if (delivery.isDelivered === delivery.isGivenUp) faults.push("must be delivered or given up");
  return faults;
}

function faultsOfContent(arrived: ReceivedRequest[], view: unknown): string[] {
  return arrived.flatMap((request) => {
    if (view === undefined) return ["nobody queried its task to compare with"];
    return isDeepStrictEqual(parse(request.body), view)
      ? []
      : ["its body is not the query's answer"];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Requests at paths that no task named, and ids that two tasks share. */
function strayRequests(tasks: TaskRow[], requests: Map<string, ReceivedRequest[]>): Violation[] {
  const named = new Set(tasks.map(pathOf));
  const violations: Violation[] = [];
  const pathsOfId = new Map<string, string>();
  for (const [path, arrived] of requests) {
    if (!named.has(path))
      violations.push({ what: `callbacks at ${path}, which is nobody's`, rows: arrived });
    for (const { webhookId } of arrived) {
      if (webhookId === null) continue;
      const first = pathsOfId.get(webhookId) ?? path;
      pathsOfId.set(webhookId, first);
      if (first !== path)
        violations.push({
          what: `id ${webhookId} was sent to ${first} and ${path}`,
          rows: arrived,
        });
    }
  }
  return violations;
}

/** I9: no callback arrives before the end of its task is committed. Receiver and database share a clock. */
export function checkCallbacksFollowCommit({ rows, received }: Evidence): Violation[] {
  const ends = new Map(
    // the first settlement stays if there are two
    rows.transfers
      .toReversed()
      .flatMap((row) =>
        row.kind === "capture" || row.kind === "release"
          ? [[row.causeId, Math.floor(row.committedUs / 1000)]]
          : [],
      ),
  );
  const requests = byPath(received);
  return rows.tasks.flatMap((task) => {
    if (task.callbackUrl === null) return [];
    const endedAt = ends.get(task.id) ?? Number.POSITIVE_INFINITY;
    const early = (requests.get(pathOf(task)) ?? []).filter((request) => request.at < endedAt);
    if (early.length === 0) return [];
    return [{ what: `task ${task.id} ended at ${endedAt}, its callback came before`, rows: early }];
  });
}
