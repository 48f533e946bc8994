import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { ListReviewDecisionsAnswer, ReviewDecision } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, get } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { calls } from "./calls.ts";
import { DecisionReason } from "./decision-reason.tsx";
import { Thumbnail } from "./thumbnail.tsx";

const key = "decisions";
const limit = 30;
const tones: Record<ReviewDecision["action"], Tone> = {
  "asset.approve": "good",
  "asset.refuse": "bad",
  "asset.revoke": "bad",
  "asset.undo": "neutral",
};
const names = {
  "asset.approve": "approved",
  "asset.refuse": "refused",
  "asset.revoke": "revoked",
  "asset.undo": "undone",
} as const;

/** The decisions that people made, newest first. */
export function HistoryTable({ isMine }: { isMine: boolean }) {
  const { t } = useTranslation(["review", "frame"]);
  const { data, error, isPending, refetch, ...more } = useInfiniteQuery({
    queryKey: ["review", key, isMine],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      get<ListReviewDecisionsAnswer>(
        client,
        "/api/admin/v1/review/decisions",
        { mine: String(isMine), limit, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        signal,
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton className="h-96" />;
  if (rows.length === 0 && !more.hasNextPage)
    return <Empty title={t("historyEmpty")}>{t("historyEmptyAbout")}</Empty>;
  return (
    <>
      <Table
        label={t("historyLabel")}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: t("column.asset"), cell: (row) => <AssetCell decision={row} /> },
          {
            title: t("column.decision"),
            cell: ({ action }) => <Badge tone={tones[action]}>{t(`did.${names[action]}`)}</Badge>,
          },
          { title: t("column.reason"), cell: (row) => <DecisionReason decision={row} /> },
          {
            title: t("column.reviewer"),
            cell: ({ by }) => <bdi>{by.isMine ? t("you") : (by.name ?? by.id)}</bdi>,
          },
          { title: t("column.time"), cell: ({ at }) => <Time ms={at} /> },
          {
            title: <span className="sr-only">{t("column.undo")}</span>,
            cell: (row) => <UndoCell decision={row} />,
          },
        ]}
      />
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

function AssetCell({ decision: { asset, assetId } }: { decision: ReviewDecision }) {
  const { t } = useTranslation(["review", "frame"]);
  return (
    <div className="flex min-w-44 items-center gap-2">
      <Thumbnail asset={asset} />
      <div className="min-w-0">
        <p className="line-clamp-2" dir="auto">
          {asset === null ? t("deletedAsset") : (asset.name ?? t("unnamed"))}
        </p>
        <p className="text-sm text-muted">#{assetId}</p>
      </div>
    </div>
  );
}

function UndoCell({ decision: { assetId, undoableUntil } }: { decision: ReviewDecision }) {
  const { t } = useTranslation(["review", "frame"]);
  const queries = useQueryClient();
  const { run, isBusy, error } = useAction(async () => {
    await calls.undo(assetId);
    toast(t("notice.undone", { id: assetId }));
    await queries.invalidateQueries({ queryKey: ["review", key] });
  });
  if (undoableUntil === null || undoableUntil < Date.now()) return null;
  return (
    <div className="flex flex-col items-end gap-2">
      <Button isSmall isBusy={isBusy} aria-label={t("undoOf", { id: assetId })} onClick={run}>
        {t("undo")}
      </Button>
      <span className="text-sm text-muted">
        {t("undoUntil")} <Time ms={undoableUntil} />
      </span>
      {error !== null && <ErrorPanel error={error} />}
    </div>
  );
}
