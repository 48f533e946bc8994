import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useAccount } from "../../app/session.tsx";
import { useLive, useStream } from "../../lib/live.tsx";
import { factsOf, type Task, taskOfEvent } from "../gallery/item.ts";

const isOver = (task: Task) => factsOf(task).endedAt !== null;

/** A task, what happened to it and what it was created with: three requests, then the stream. */
export function useTask(taskId: string) {
  const { account, client } = useAccount();
  const queryClient = useQueryClient();
  const key = (part: string) => [account.accountId, part, taskId];
  const { openedAt, isOpening } = useStream();
  const readAt = useRef(0);
  const task = useQuery({
    queryKey: key("task"),
    enabled: !isOpening,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Task | null> => {
      readAt.current = performance.now();
      const [read = null] = (await client.tasks.query([taskId], { signal })).tasks;
      const told = queryClient.getQueryData<Task>(key("task"));
      return told && isOver(told) && read && !isOver(read) ? told : read; // its end came meanwhile
    },
  });
  const isKnown = task.data !== null;
  const timeline = useQuery({
    queryKey: key("timeline"),
    enabled: isKnown,
    staleTime: 0,
    queryFn: ({ signal }) => client.tasks.timeline(taskId, { signal }),
  });
  const request = useQuery({
    queryKey: key("request"),
    enabled: isKnown,
    queryFn: ({ signal }) => client.tasks.request(taskId, { signal }),
  });
  const show = (next: Task) => queryClient.setQueryData(key("task"), next);
  const readTimeline = () => queryClient.invalidateQueries({ queryKey: key("timeline") });
  useLive((event) => {
    if (event.taskId !== taskId) return;
    const before = queryClient.getQueryData<Task>(key("task")) ?? undefined;
    const next = taskOfEvent(event, before, account.isTest);
    if (next === null) return;
    show(next);
    // Progress alone adds nothing to what happened.
    if (before === undefined || factsOf(before).status !== factsOf(next).status)
      void readTimeline();
  });
  const isOpen = task.data != null && !isOver(task.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened between reading and the stream was not told
  useEffect(() => {
    if (!isOpen || openedAt === null || readAt.current > openedAt) return;
    void task.refetch().then(readTimeline);
  }, [isOpen, openedAt]);
  return { task, timeline, request, show, readTimeline };
}

export type Timeline = NonNullable<ReturnType<typeof useTask>["timeline"]["data"]>;
export type TimelineEntry = Timeline["entries"][number];
export type TaskRequest = NonNullable<ReturnType<typeof useTask>["request"]["data"]>;
