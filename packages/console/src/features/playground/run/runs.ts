import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { GenerationTask } from "@zoetrope/sdk";
import { useEffect, useRef } from "react";
import { useAccount } from "../../../app/session.tsx";
import { useLive } from "../../../lib/live.tsx";
import type { LiveEvent } from "../../../lib/share-events.ts";

/** A task that was started on this page during this visit. */
export interface Run {
  task: GenerationTask;
  /** The time at which work on it was first seen. */
  workingSince: number | null;
}

const runsMax = 20;
const seenMax = 200;

export function isOver({ status }: GenerationTask): boolean {
  return status === "COMPLETED" || status === "FAILED";
}

function withTask(run: Run | undefined, task: GenerationTask): Run {
  if (run !== undefined && isOver(run.task)) return run;
  const workingSince = task.status === "PROCESSING" ? Date.now() : null;
  return { task, workingSince: run?.workingSince ?? workingSince };
}

/** Generations alone: a step of an upscale has another form. */
function taskOf({ type, data }: LiveEvent): GenerationTask | null {
  return type.startsWith("generation.") ? (data as unknown as GenerationTask) : null;
}

export function newTask(taskId: string, model: string, credits: number): GenerationTask {
  return {
    taskId,
    model,
    status: "PENDING",
    creditsUsed: credits,
    output: null,
    error: null,
    errorCode: null,
    createTime: Date.now(),
    completeTime: null,
  };
}

/** The runs of this visit, newest first, kept current by the stream. */
export function useRuns(onEnd: (task: GenerationTask) => void) {
  const { account, client } = useAccount();
  const queries = useQueryClient();
  const queryKey = [account.accountId, "runs"];
  const { data: runs } = useQuery<Run[]>({
    queryKey,
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => runsOf(queries, queryKey),
    gcTime: Number.POSITIVE_INFINITY,
  });
  // An end may arrive before the response that names the task.
  const seen = useRef(new Map<string, GenerationTask>());
  const update = (task: GenerationTask) => {
    const before = runsOf(queries, queryKey);
    const run = before.find(({ task: { taskId } }) => taskId === task.taskId);
    if (run === undefined) return;
    const after = withTask(run, task);
    if (after === run) return;
    queries.setQueryData<Run[]>(
      queryKey,
      before.map((one) => (one === run ? after : one)),
    );
    if (isOver(after.task)) onEnd(after.task);
  };
  useLive((event) => {
    const task = taskOf(event);
    if (task === null) return;
    seen.current.set(task.taskId, task);
    const [oldest] = seen.current.keys();
    if (seen.current.size > seenMax && oldest !== undefined) seen.current.delete(oldest);
    update(task);
  });
  // Ends of the time on another page were told to nobody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    const open = runsOf(queries, queryKey).flatMap(({ task }) =>
      isOver(task) ? [] : [task.taskId],
    );
    if (open.length === 0) return;
    const stop = new AbortController();
    client.tasks.query(open, { signal: stop.signal }).then(
      ({ tasks }) => {
        for (const task of tasks) if (task.kind === "generation") update(task);
      },
      () => {}, // the stream goes on
    );
    return () => stop.abort();
  }, []);
  const add = (task: GenerationTask) => {
    const run = withTask(undefined, task);
    queries.setQueryData<Run[]>(queryKey, [run, ...runsOf(queries, queryKey)].slice(0, runsMax));
    const told = seen.current.get(task.taskId);
    if (told !== undefined) update(told);
  };
  return { runs, add };
}

function runsOf(queries: QueryClient, queryKey: readonly string[]): Run[] {
  return queries.getQueryData<Run[]>(queryKey) ?? [];
}
