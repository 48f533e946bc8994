import { readLines } from "../../kit/json-lines.ts";
import type { SentTask } from "./drill-load.ts";

/** A task as it is in the database at the end. */
export interface EndedTask {
  id: string;
  status: string;
  errorCode: string | null;
  captures: number;
  releases: number;
  jobIds: string[];
}

interface Create {
  event: string;
  accepted?: boolean;
  jobId: string | null;
  prompt?: string;
}

export interface Verdict {
  /** Tasks that the restored database had. */
  known: number;
  completed: number;
  /** Accepted after the point: gone with the database, and so are their holds and charges. */
  gone: number;
  /** Known tasks that did not end, and jobs of vendors that neither a task nor a line of reconcile names. */
  lost: string[];
  /** Tasks that vendors were paid for twice, or their owners charged more than once. */
  doubled: string[];
}

/** Reads the vendors' own journal: what they accepted is what they bill. */
export async function judgeDrill(
  sent: readonly SentTask[],
  tasks: readonly EndedTask[],
  journal: string,
  reconciled: string,
): Promise<Verdict> {
  const lines = await readLines<Create>(journal);
  const paid = lines.filter(({ event, accepted }) => event === "create" && accepted === true);
  const known = new Map(tasks.map((task) => [task.id, task]));
  const paidFor = ({ mark }: SentTask) => paid.filter(({ prompt }) => prompt?.startsWith(mark));
  const bound = new Set(tasks.flatMap(({ jobIds }) => jobIds));
  const isNamed = ({ jobId }: Create) =>
    jobId === null || bound.has(jobId) || reconciled.includes(jobId);
  return {
    known: sent.filter(({ taskId }) => known.has(taskId)).length,
    completed: tasks.filter(({ status }) => status === "COMPLETED").length,
    gone: sent.filter(({ taskId }) => !known.has(taskId)).length,
    lost: [
      ...tasks.filter(({ status }) => !isEnd(status)).map(({ id }) => `task ${id} has not ended`),
      ...sent
        .filter(({ taskId, isLate }) => !isLate && !known.has(taskId))
        .map(({ taskId }) => `task ${taskId} is older than the point and is not there`),
      ...paid.filter((create) => !isNamed(create)).map(({ jobId }) => `job ${jobId} is nobody's`),
      // A result that came with the response has no job: its task must have its outcome.
      ...sent
        .filter(
          (task) => !known.has(task.taskId) && paidFor(task).some((one) => one.jobId === null),
        )
        .map(({ taskId }) => `the result of task ${taskId} is nobody's`),
    ],
    doubled: [
      ...sent
        .filter((task) => paidFor(task).length > 1)
        .map(({ taskId, mark }) => `task ${taskId} (${mark}) was made twice`),
      ...tasks.filter(isOvercharged).map(({ id }) => `task ${id} was charged wrongly`),
    ],
  };
}

const isEnd = (status: string) => status === "COMPLETED" || status === "FAILED";

function isOvercharged({ status, captures, releases }: EndedTask): boolean {
  return (
    isEnd(status) && (captures !== (status === "COMPLETED" ? 1 : 0) || captures + releases !== 1)
  );
}
