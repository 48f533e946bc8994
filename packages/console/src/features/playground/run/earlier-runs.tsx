import { useInfiniteQuery } from "@tanstack/react-query";
import type { ListedGenerationTask } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { Button } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { ErrorPanel } from "../../../components/error-panel.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Panel, Skeleton } from "../../../components/panel.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCredits } from "../../../lib/format.ts";
import { modelTitle } from "../../../lib/model-title.ts";
import { StatusBadge } from "./run-view.tsx";
import type { Run } from "./runs.ts";

type Task = Run["task"];

interface Props {
  runs: readonly Run[];
  shown: string | null;
  onShow(task: Task): void;
}

const tasksPerPage = 12;

/** Runs of this visit, and on demand the account's earlier ones. */
export function EarlierRuns({ runs, shown, onShow }: Props) {
  const { t } = useTranslation("playground");
  const { t: frame } = useTranslation();
  const { account, client } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const { data, error, isLoading, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [account.accountId, "jobs", "playground"],
      queryFn: ({ pageParam, signal }) => {
        const cursor = pageParam ?? undefined;
        const query = { kind: "generation" as const, limit: tasksPerPage, cursor };
        return client.tasks.list(query, { signal });
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
      enabled: isOpen,
      staleTime: 0,
    });
  const ids = new Set(runs.map(({ task }) => task.taskId));
  const earlier = (data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter((task): task is ListedGenerationTask => task.kind === "generation")
    .filter(({ taskId }) => !ids.has(taskId));
  const tasks: Task[] = [...runs.map(({ task }) => task), ...earlier];
  const isEmpty = isOpen && !isLoading && error === null && tasks.length === 0;
  return (
    <Panel title={t("history.title")}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">
        {tasks.map((task) => (
          <li key={task.taskId}>
            <RunTile task={task} isShown={task.taskId === shown} onShow={() => onShow(task)} />
          </li>
        ))}
      </ul>
      {isLoading && <Skeleton className="h-40" />}
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {isEmpty && <p className="text-muted">{t("history.empty")}</p>}
      <div className={classNames(tasks.length > 0 && "mt-3")}>
        {!isOpen && <Button onClick={() => setOpen(true)}>{t("history.show")}</Button>}
        {hasNextPage && (
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {frame("showMore")}
          </Button>
        )}
      </div>
    </Panel>
  );
}

function RunTile({ task, isShown, onShow }: { task: Task; isShown: boolean; onShow(): void }) {
  const { t } = useTranslation("playground");
  const posterUrl = task.output?.[0]?.posterUrl ?? null;
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className={classNames(
        "flex w-full flex-col overflow-hidden rounded-md border text-left hover:border-accent",
        isShown ? "border-accent" : "border-line",
      )}
    >
      <span className="flex aspect-video w-full items-center justify-center overflow-hidden bg-sunken text-muted">
        {posterUrl !== null && /^https?:/.test(posterUrl) ? (
          <img src={posterUrl} alt="" loading="lazy" className="size-full object-cover" />
        ) : (
          <Icon name={task.status === "FAILED" ? "close" : "history"} className="size-6" />
        )}
      </span>
      <span className="flex w-full flex-col gap-1 p-2 text-sm">
        <span className="flex flex-wrap items-center justify-between gap-1">
          <span className="truncate font-medium">{modelTitle(task.model)}</span>
          <StatusBadge status={task.status} />
        </span>
        <span className="flex flex-wrap justify-between gap-1 text-muted">
          <Time ms={task.createTime} />
          <span>{t("credits", { credits: formatCredits(task.creditsUsed) })}</span>
        </span>
      </span>
    </button>
  );
}
