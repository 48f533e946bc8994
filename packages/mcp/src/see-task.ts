import { type GenerationTask, TimeoutError, type UpscaleTask, type Zoetrope } from "@zoetrope/sdk";

export type TaskKind = "generation" | "upscale";
type Media = NonNullable<GenerationTask["output"]>[number];

/** A task of either kind. */
export interface Seen {
  taskId: string;
  kind: TaskKind;
  status: string;
  isOver: boolean;
  credits: number | null;
  /** The progress in percent of a running upscale. */
  progress: number | null;
  outputs: Media[];
  error: { code: string; message: string } | null;
  notes: { param: string; message: string }[];
  createdAt: Date;
  endedAt: Date | null;
}

function seeGeneration(task: GenerationTask): Seen {
  const { taskId, status, creditsUsed: credits, completeTime } = task;
  return {
    taskId,
    kind: "generation",
    status,
    credits,
    progress: null,
    isOver: status === "COMPLETED" || status === "FAILED",
    outputs: task.output ?? [],
    error:
      status === "FAILED"
        ? { code: task.errorCode ?? "failed", message: task.error ?? "The task failed." }
        : null,
    notes: task.notes ?? [],
    createdAt: new Date(task.createTime),
    endedAt: completeTime === null ? null : new Date(completeTime),
  };
}

function seeUpscale(task: UpscaleTask): Seen {
  const { taskId, status, creditsConsumed: credits, result, error, finishedAt } = task;
  const isOver = status === "completed" || status === "failed";
  return {
    taskId,
    kind: "upscale",
    status,
    isOver,
    credits,
    error,
    notes: [],
    progress: isOver ? null : task.progress,
    outputs: result === null ? [] : [result],
    createdAt: new Date(task.createdAt),
    endedAt: finishedAt === null ? null : new Date(finishedAt),
  };
}

/** A task of the account by its id alone; undefined: there is none. */
export async function readTask(client: Zoetrope, taskId: string): Promise<Seen | undefined> {
  const [task] = (await client.tasks.query([taskId])).tasks;
  if (task === undefined) return undefined;
  return task.kind === "upscale" ? seeUpscale(task) : seeGeneration(task);
}

export function getTask(client: Zoetrope, kind: TaskKind, taskId: string): Promise<Seen> {
  return kind === "upscale"
    ? client.upscales.get(taskId).then(seeUpscale)
    : client.tasks.get(taskId).then(seeGeneration);
}

interface Waiting {
  waitMs: number;
  signal: AbortSignal;
  onChange(seen: Seen): void;
}

/** The task when it is over, or as it is after the given time. */
export async function waitForTask(
  client: Zoetrope,
  { kind, taskId }: Pick<Seen, "kind" | "taskId">,
  { waitMs: timeoutMs, signal, onChange }: Waiting,
): Promise<Seen> {
  let last: Seen | undefined;
  const note = (seen: Seen) => {
    last = seen;
    onChange(seen);
  };
  const options = { timeoutMs, signal };
  try {
    return kind === "upscale"
      ? seeUpscale(
          await client.upscales.wait(taskId, {
            ...options,
            onProgress: (task) => note(seeUpscale(task)),
          }),
        )
      : seeGeneration(
          await client.tasks.wait(taskId, {
            ...options,
            onProgress: (task) => note(seeGeneration(task)),
          }),
        );
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    return last ?? getTask(client, kind, taskId);
  }
}
