import { isDeepStrictEqual } from "node:util";
import { answersOf, linesOf } from "../kit/client-log.ts";
import type { Evidence, Violation } from "./evidence.ts";
import { isTerminal } from "./statuses.ts";

/** I6: every task id that a client was given exists, ends once, and stays as it ended. */
export function checkTasksEndOnce({ rows, clients }: Evidence): Violation[] {
  const tasks = new Map(rows.tasks.map((task) => [task.id, task]));
  const ends = Map.groupBy(
    [...linesOf(clients, "ended"), ...linesOf(clients, "last")],
    (line) => line.taskId,
  );
  const given = answersOf(clients).flatMap((answer) => answer.taskId ?? []);
  return [...new Set(given)].flatMap((taskId): Violation[] => {
    const task = tasks.get(taskId);
    if (task === undefined)
      return [{ what: `task ${taskId} was given but is not there`, rows: [] }];
    if (!isTerminal(task.status))
      return [{ what: `task ${taskId} is ${task.status} when idle`, rows: [task] }];
    const seen = ends.get(taskId) ?? [];
    const views = seen.map((line) => line.task);
    if (views.length === 0)
      return [{ what: `nobody saw task ${taskId} end, but it did`, rows: [task] }];
    const isStable = views.every(
      (view) => isDeepStrictEqual(view, views[0]) && view.status.toUpperCase() === task.status,
    );
    return isStable
      ? []
      : [{ what: `task ${taskId} was seen to change after its end`, rows: [task, ...seen] }];
  });
}

const steps: Record<string, number> = {
  PENDING: 0,
  VALIDATING: 1,
  PROCESSING: 2,
  COMPLETED: 3,
  FAILED: 3,
};

/** I15: polls see PENDING, of an upscale VALIDATING, PROCESSING, end: never a step back, never two ends. */
export function checkPolledPaths({ clients }: Evidence): Violation[] {
  const byTask = Map.groupBy(linesOf(clients, "seen"), (line) => line.taskId);
  return [...byTask].flatMap(([taskId, lines]): Violation[] => {
    const path = lines.map((line) => line.status);
    const isPath = path.every((status, index) => {
      const step = steps[status];
      const before = index === 0 ? -1 : steps[path[index - 1] ?? ""];
      return step !== undefined && before !== undefined && before < step;
    });
    return isPath ? [] : [{ what: `task ${taskId} was seen as ${path.join(" → ")}`, rows: lines }];
  });
}
