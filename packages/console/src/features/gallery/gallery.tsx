import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Icon } from "../../components/icon.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { useFilters } from "../../lib/filters.ts";
import { formatTime } from "../../lib/format.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { EmptyGallery } from "./empty-gallery.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { defaults, type Filters, timeOfId } from "./filters.ts";
import { Grid } from "./grid.tsx";
import { Lightbox } from "./lightbox.tsx";
import { useLightbox } from "./use-lightbox.ts";
import { usePreview } from "./use-preview.ts";
import { useSelection } from "./use-selection.ts";
import { useTasks } from "./use-tasks.ts";

export function Gallery() {
  const [filters, change] = useFilters<Filters>(defaults);
  const { open: openId, ...listed } = filters;
  const { query, tasks, freshCount, showFresh, replace } = useTasks(listed);
  const { selected, select, clear } = useSelection(tasks);
  const [previewId, onPoint] = usePreview();
  const lightbox = useLightbox(openId, tasks, !query.isPending);
  const { open } = lightbox;
  const acts = useMemo(
    () => ({ onOpen: open, onSelect: select, onPoint }),
    [open, select, onPoint],
  );
  const onChange = useCallback(
    (changed: Partial<Filters>) => {
      clear();
      change(changed, { replace: true });
    },
    [change, clear],
  );
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const isPassing = query.data?.pages.at(-1)?.items.length === 0; // a person says whether to go on
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching && !isPassing) void fetchNextPage();
  }, [hasNextPage, isFetching, isPassing, fetchNextPage]);
  const chosen = useMemo(
    () => tasks.filter(({ taskId }) => selected.has(taskId)),
    [tasks, selected],
  );
  const current = useReturn(openId);
  return (
    <>
      <FilterBar
        filters={filters}
        onChange={onChange}
        isWaiting={openId !== "" && lightbox.index < 0}
      />
      {freshCount > 0 && <FreshButton count={freshCount} onShow={showFresh} />}
      {query.error !== null && <ListError error={query.error} query={query} onChange={onChange} />}
      {query.isPending ? (
        <Loading />
      ) : tasks.length === 0 && query.error === null ? (
        <EmptyGallery filters={filters} query={query} onChange={onChange} />
      ) : (
        <Grid {...{ tasks, selected, previewId, acts, current, onEnd }} />
      )}
      {tasks.length > 0 && <End query={query} isPassing={isPassing} />}
      {chosen.length > 0 && <BulkActions tasks={chosen} onClear={clear} onChanged={replace} />}
      {lightbox.task !== undefined && (
        <Lightbox
          task={lightbox.task}
          onBefore={lightbox.before}
          onAfter={lightbox.after}
          onClose={lightbox.close}
          onChanged={replace}
        />
      )}
    </>
  );
}

/** The task whose lightbox was open last: its tile comes into view and has the focus. */
function useReturn(openId: string): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const before = useRef(openId);
  useEffect(() => {
    const left = before.current;
    before.current = openId;
    if (openId !== "") return setCurrent(openId);
    if (left === "") return;
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-task="${CSS.escape(left)}"]`)?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [openId]);
  return current;
}

type Query = ReturnType<typeof useTasks>["query"];

function FreshButton({ count, onShow }: { count: number; onShow(): void }) {
  const { t } = useTranslation("gallery");
  return (
    <div aria-live="polite" className="sticky top-2 z-10 flex justify-center">
      <Button
        variant="primary"
        onClick={() => {
          onShow();
          window.scrollTo({ top: 0 });
        }}
      >
        <Icon name="plus" />
        {t("fresh", { count })}
      </Button>
    </div>
  );
}

interface ListErrorProps {
  error: unknown;
  query: Query;
  onChange(change: Partial<Filters>): void;
}

function ListError({ error, query, onChange }: ListErrorProps) {
  const { t } = useTranslation("gallery");
  return (
    <ErrorPanel error={error} onRetry={() => void query.refetch()}>
      <Button isSmall onClick={() => onChange({ ...defaults })}>
        {t("filters.reset")}
      </Button>
    </ErrorPanel>
  );
}

function Loading() {
  const tiles = ["a", "b", "c", "d", "e", "f", "g", "h"];
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(13.75rem,1fr))] gap-3">
      {tiles.map((tile) => (
        <Skeleton key={tile} className="h-48" />
      ))}
    </div>
  );
}

/** More comes while somebody scrolls; a search of a rare value says how far it came. */
function End({ query, isPassing }: { query: Query; isPassing: boolean }) {
  const { t } = useTranslation("gallery");
  const { t: frame } = useTranslation();
  const { hasNextPage, isFetchingNextPage, data } = query;
  if (!hasNextPage) return <p className="text-center text-sm text-muted">{t("noMore")}</p>;
  const cursor = data?.pages.at(-1)?.nextCursor ?? null;
  return (
    <div className="flex flex-col items-center gap-2">
      {isPassing && cursor !== null && (
        <p className="text-sm text-muted">
          {t("searched", { time: formatTime(timeOfId(cursor)) })}
        </p>
      )}
      <Button isBusy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {isPassing ? t("goOn") : frame("showMore")}
      </Button>
    </div>
  );
}
