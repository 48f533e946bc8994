import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { ListTasksAnswer } from "@zoetrope/sdk/answers";
import { useEffect, useMemo, useRef, useState } from "react";
import { useAccount } from "../../app/session.tsx";
import { useLive, useStream } from "../../lib/live.tsx";
import type { LiveEvent } from "../../lib/share-events.ts";
import { insertTasks, type Pages, replaceTasks } from "./apply-events.ts";
import { accepts, type ListFilters, queryOf } from "./filters.ts";
import { type Task, taskOfEvent } from "./item.ts";

const perPage = 100;
/** Events come one by one; the grid is drawn at most this often. */
const applyEveryMs = 250;
/** A search of a rare value passes so many pages by itself; then a person says whether to go on. */
const pagesBySelfMax = 2;
/** A list that was left for longer is brought up to date by one request. */
const freshMs = 10_000;

/** Somebody reads further down: nothing moves there until asked for. */
const isScrolled = () => window.scrollY > 200;

/** The tasks of the account that match, page by page, kept current by the stream. */
export function useTasks(filters: ListFilters) {
  const { account, client } = useAccount();
  const queryClient = useQueryClient();
  const queryKey = [account.accountId, "tasks", queryOf(filters)];
  const list = (cursor: string | null, signal: AbortSignal) =>
    client.tasks.list(
      { ...queryOf(filters), limit: perPage, cursor: cursor ?? undefined },
      { signal },
    );
  const { openedAt, isOpening } = useStream();
  const query = useInfiniteQuery<ListTasksAnswer, unknown, Pages, typeof queryKey, string | null>({
    queryKey,
    enabled: !isOpening,
    queryFn: ({ pageParam, signal }) => list(pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY, // the stream tells; a hundred pages are not read again
  });
  const [fresh, setFresh] = useState<Task[]>([]);
  const write = (change: (pages: Pages) => Pages) =>
    queryClient.setQueryData<Pages>(queryKey, (pages) => pages && change(pages));
  const take = (tasks: readonly Task[]) => {
    const pages = queryClient.getQueryData<Pages>(queryKey);
    if (pages === undefined) return;
    const changed = new Map(tasks.map((task) => [task.taskId, task]));
    const { pages: replaced, others } = replaceTasks(pages, changed);
    const added = others.filter((task) => accepts(filters, task));
    write(() => (isScrolled() ? replaced : insertTasks(replaced, added)));
    if (!isScrolled()) return;
    const isShown = (task: Task) => insertTasks(replaced, [task]) !== replaced;
    setFresh((waiting) => [
      ...waiting.filter(({ taskId }) => !changed.has(taskId)),
      ...added.filter(isShown),
    ]);
  };
  useEvents(queryKey, take, account.isTest);
  const shownList = { name: JSON.stringify(queryKey), updatedAt: query.dataUpdatedAt, openedAt };
  useCatchUp(shownList, async (signal) => {
    const first = await list(null, signal);
    const pages = queryClient.getQueryData<Pages>(queryKey);
    const shown = new Set(pages?.pages.flatMap(({ items }) => items.map(({ taskId }) => taskId)));
    const isConnected = first.items.some(({ taskId }) => shown.has(taskId));
    if (isConnected || first.nextCursor === null) take(first.items);
    else queryClient.setQueryData<Pages>(queryKey, { pages: [first], pageParams: [null] });
  });
  usePassEmptyPages(query);
  const tasks = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const showFresh = () => {
    write((pages) => insertTasks(pages, fresh));
    setFresh([]);
  };
  const replace = (changed: readonly Task[]) => take(changed);
  return { query, tasks, freshCount: fresh.length, showFresh, replace };
}

/** Collects the events of a quarter of a second, and for as long as the list is on its way. */
function useEvents(
  queryKey: readonly unknown[],
  take: (tasks: readonly Task[]) => void,
  isTest: boolean,
): void {
  const queryClient = useQueryClient();
  const waiting = useRef<LiveEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = useRef(() => {});
  const applySoon = () => {
    timer.current = setTimeout(() => apply.current(), applyEveryMs);
  };
  apply.current = () => {
    const list = queryClient.getQueryData<Pages>(queryKey);
    if (list === undefined) return applySoon();
    timer.current = undefined;
    const shown = new Map(
      list.pages.flatMap(({ items }) => items.map((task) => [task.taskId, task] as const)),
    );
    const events = waiting.current.splice(0);
    const tasks = events.flatMap(
      (event) => taskOfEvent(event, shown.get(event.taskId), isTest) ?? [],
    );
    if (tasks.length > 0) take(tasks);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((event) => {
    waiting.current.push(event);
    if (timer.current === undefined) applySoon();
  });
}

interface ShownList {
  name: string;
  updatedAt: number;
  /** The time at which the stream was opened, on the page's clock. */
  openedAt: number | null;
}

/** A list that is shown again, or was read before the stream was open, missed what happened meanwhile. */
function useCatchUp(list: ShownList, read: (signal: AbortSignal) => Promise<void>): void {
  const latest = useRef({ list, read });
  latest.current = { list, read };
  const { name, openedAt } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list, and each time that the stream is opened
  useEffect(() => {
    const { updatedAt } = latest.current.list;
    if (updatedAt === 0) return;
    const isUntold = openedAt !== null && updatedAt < performance.timeOrigin + openedAt;
    if (!isUntold && Date.now() - updatedAt < freshMs) return;
    const stop = new AbortController();
    latest.current.read(stop.signal).catch(() => {}); // what is shown stays, and the stream goes on
    return () => stop.abort();
  }, [name, openedAt]);
}

function usePassEmptyPages({
  data,
  hasNextPage,
  isFetching,
  fetchNextPage,
}: Pick<
  ReturnType<typeof useInfiniteQuery<ListTasksAnswer, unknown, Pages>>,
  "data" | "hasNextPage" | "isFetching" | "fetchNextPage"
>): void {
  const pages = data?.pages ?? [];
  const isEmpty = pages.length > 0 && pages.every(({ items }) => items.length === 0);
  const isDue = isEmpty && hasNextPage && !isFetching && pages.length <= pagesBySelfMax;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}
