import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Task } from "./item.ts";
import { captionHeight, Tile, type TileActs } from "./tile.tsx";

const tileWidthMin = 220;
/** The width below which tiles may be narrower, so that two stand beside each other on a telephone. */
const narrowWidth = 500;
const tileWidthMinNarrow = 150;
const gap = 12;
/** Rows beyond the window. */
const overscan = 1;

interface Props {
  tasks: readonly Task[];
  selected: ReadonlySet<string>;
  previewId: string | null;
  acts: TileActs;
  /** The task that was looked at: its tile is in view. */
  current: string | null;
  /** The end of what is loaded comes into view. */
  onEnd(): void;
}

/** Only the rows in view are there; every row has its height before it is drawn. */
export function Grid({ tasks, selected, previewId, acts, current, onEnd }: Props) {
  const { t } = useTranslation("gallery");
  const list = useRef<HTMLUListElement>(null);
  const { width, top } = usePlace(list);
  const widthMin = width < narrowWidth ? tileWidthMinNarrow : tileWidthMin;
  const columns = Math.max(1, Math.floor((width + gap) / (widthMin + gap)));
  const tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const tileHeight = Math.round(tileWidth * 0.625) + captionHeight;
  const rowCount = Math.ceil(tasks.length / columns);
  const virtualizer = useWindowVirtualizer({
    count: width === 0 ? 0 : rowCount,
    overscan,
    scrollMargin: top,
    useFlushSync: false,
    estimateSize: () => tileHeight + gap,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width has other heights
  useLayoutEffect(() => virtualizer.measure(), [tileHeight]);
  const rows = virtualizer.getVirtualItems();
  const isAtEnd = rowCount === 0 || (rows.at(-1)?.index ?? -1) >= rowCount - 3;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  const currentRow =
    current === null
      ? -1
      : Math.floor(tasks.findIndex(({ taskId }) => taskId === current) / columns);
  useEffect(() => {
    if (currentRow >= 0) virtualizer.scrollToIndex(currentRow, { align: "auto" });
  }, [currentRow, virtualizer]);
  return (
    <ul
      ref={list}
      aria-label={t("tasks")}
      style={{ height: Math.max(0, virtualizer.getTotalSize() - gap) }}
      className="relative"
    >
      {rows.flatMap(({ index: row, start }) =>
        tasks
          .slice(row * columns, (row + 1) * columns)
          .map((task, column) => (
            <Tile
              key={task.taskId}
              task={task}
              place={row * columns + column}
              count={tasks.length}
              x={column * (tileWidth + gap)}
              y={start - top}
              width={tileWidth}
              height={tileHeight}
              isSelected={selected.has(task.taskId)}
              isPreview={previewId === task.taskId}
              acts={acts}
            />
          )),
      )}
    </ul>
  );
}

/** Returns the width of the list and the distance of its beginning from the top of the page. */
function usePlace(list: React.RefObject<HTMLElement | null>): { width: number; top: number } {
  const [place, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      const next = { width: Math.floor(width), top: Math.round(top + window.scrollY) };
      setPlace((before) =>
        before.width === next.width && before.top === next.top ? before : next,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body); // what is above the list changes its height
    return () => observer.disconnect();
  }, [list]);
  return place;
}
