import { useInfiniteQuery } from "@tanstack/react-query";
import type { ListReviewFiguresAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Panel, Skeleton } from "../../components/panel.tsx";
import { client, get } from "../../lib/client.ts";
import { formatNumber, formatSeconds } from "../../lib/format.ts";
import { type Day, sumOf } from "./figures.ts";
import { FiguresChart } from "./figures-chart.tsx";
import { FiguresTable } from "./figures-table.tsx";

interface Props {
  /** Days as in 2026-11-16. */
  from: string;
  to: string;
  reviewer: string;
  onReviewer(reviewer: string): void;
}

/** The work of each reviewer on each day. */
export function FiguresView({ from, to, reviewer, onReviewer }: Props) {
  const { t } = useTranslation(["review", "frame"]);
  const { data, error, isPending, refetch, ...more } = useInfiniteQuery({
    queryKey: ["review", "figures", from, to, reviewer],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const asked = { from, to, reviewer, cursor: pageParam };
      const query = Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== ""));
      const path = "/api/admin/v1/review/figures";
      return get<ListReviewFiguresAnswer>(client, path, { ...query, limit: 100 }, signal);
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const days = data?.pages.flatMap(({ items }) => items) ?? [];
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton className="h-96" />;
  if (days.length === 0) return <Empty title={t("figuresEmpty")}>{t("figuresEmptyAbout")}</Empty>;
  return (
    <>
      <Sums days={days} isPartial={more.hasNextPage} />
      <Panel title={t("chartTitle")}>
        <FiguresChart days={days} />
      </Panel>
      <FiguresTable days={days} onReviewer={onReviewer} />
      {more.hasNextPage && (
        <Button
          className="self-center"
          isBusy={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t("frame:showMore")}
        </Button>
      )}
    </>
  );
}

function Sums({ days, isPartial }: { days: readonly Day[]; isPartial: boolean }) {
  const { t } = useTranslation(["review", "frame"]);
  const { judged, approved, refused, undone, seconds } = sumOf(days);
  const each = judged === 0 ? "–" : formatSeconds(seconds / judged);
  const figures = [
    [t("figure.judged"), formatNumber(judged)],
    [t("did.approved"), formatNumber(approved)],
    [t("did.refused"), formatNumber(refused)],
    [t("did.undone"), formatNumber(undone)],
    [t("figure.each"), each],
  ] as const;
  return (
    <section aria-label={t("sums")} className="flex flex-col gap-1">
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {figures.map(([label, value]) => (
          <div key={label} className="rounded-lg border border-line bg-panel p-3">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-xl font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      {isPartial && <p className="text-sm text-muted">{t("sumsPartial")}</p>}
    </section>
  );
}
