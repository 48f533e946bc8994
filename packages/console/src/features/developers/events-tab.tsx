import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Event, ReadEventsAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { get } from "../../lib/client.ts";
import { useLive } from "../../lib/live.tsx";

/** The newest events, page by page, and what happens while the page is open on top. */
export function EventsTab() {
  const { t } = useTranslation(["frame", "developers"]);
  const { account, client } = useAccount();
  const [fresh, setFresh] = useState<readonly Event[]>([]);
  useLive((event) => {
    if (event.number === null) return;
    setFresh((before) => [event, ...before].slice(0, freshMax));
  });
  const record = useInfiniteQuery({
    queryKey: [account.accountId, "events"],
    queryFn: ({ pageParam, signal }) =>
      get<ReadEventsAnswer>(
        ...([client, "/api/v1/events"] as const),
        { order: "desc", before: pageParam, limit: 50 },
        signal,
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ hasMore, next }) => (hasMore ? next : null),
  });
  const old = record.data?.pages.flatMap(({ events }) => events) ?? [];
  const known = new Set(old.map(({ number }) => number));
  const rows = [...fresh.filter(({ number }) => !known.has(number)), ...old];
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{t("developers:events.about")}</p>
      {record.error !== null && (
        <ErrorPanel error={record.error} onRetry={() => void record.refetch()} />
      )}
      {record.isPending && <Skeleton className="h-64" />}
      {record.isSuccess && rows.length === 0 && <Empty title={t("developers:events.empty")} />}
      {rows.length > 0 && <EventsTable events={rows} />}
      {record.hasNextPage && (
        <Button isBusy={record.isFetchingNextPage} onClick={() => void record.fetchNextPage()}>
          {t("showMore")}
        </Button>
      )}
    </div>
  );
}

const freshMax = 100;

function EventsTable({ events }: { events: readonly Event[] }) {
  const { t } = useTranslation("developers");
  return (
    <Table
      label={t("tabs.events")}
      rows={events}
      keyOf={({ number }) => String(number)}
      columns={[
        { title: t("events.number"), cell: ({ number }) => number, isNumber: true },
        { title: t("events.time"), cell: ({ createdAt }) => <Time ms={createdAt} /> },
        { title: t("events.type"), cell: ({ type }) => type, isShort: true },
        {
          title: t("events.task"),
          cell: ({ taskId }) => (
            <Link
              to={`/tasks/${taskId}` as never}
              className="font-mono text-sm text-accent-strong underline"
            >
              {taskId}
            </Link>
          ),
        },
      ]}
    />
  );
}
