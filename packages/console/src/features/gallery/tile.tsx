import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { classNames } from "../../components/class-names.ts";
import { Time } from "../../components/time.tsx";
import { formatSeconds } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { factsOf, isKept, isVideo, type MediaFile, type Task, toneOf } from "./item.ts";
import { Placeholder } from "./placeholder.tsx";
import { stopLoading } from "./player.tsx";

export interface TileActs {
  onOpen(taskId: string): void;
  onSelect(taskId: string, isRange: boolean): void;
  onPoint(taskId: string | null): void;
}

interface Props {
  task: Task;
  place: number;
  count: number;
  /** The position in pixels. Numbers, so that a tile that did not move is not drawn again. */
  x: number;
  y: number;
  width: number;
  height: number;
  isSelected: boolean;
  isPreview: boolean;
  acts: TileActs;
}

export const captionHeight = 48;

/** One task of the grid. Few elements: hundreds of them come and go while somebody scrolls. */
export const Tile = memo(function Tile(props: Props) {
  const { task, place, count, x, y, width, height, isSelected, isPreview, acts } = props;
  const { t } = useTranslation("gallery");
  const { taskId } = task;
  const { status } = factsOf(task);
  const name = `${modelTitle(task.model)}, ${t(`status.${status}`)}`;
  return (
    <li
      style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
      aria-posinset={place + 1}
      aria-setsize={count}
      onPointerEnter={(event) => event.pointerType === "mouse" && acts.onPoint(taskId)}
      onPointerLeave={() => acts.onPoint(null)}
      className={classNames(
        "group absolute top-0 left-0 flex flex-col rounded-lg border bg-panel",
        isSelected ? "border-accent outline-2 outline-accent" : "border-line",
      )}
    >
      <MediaLink task={task} name={name} isPreview={isPreview} onOpen={acts.onOpen} />
      <input
        type="checkbox"
        aria-label={t("selectTask", { name, id: taskId.slice(-6) })}
        checked={isSelected}
        onChange={({ nativeEvent }) =>
          acts.onSelect(taskId, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        className={classNames(
          "absolute top-2 left-2 size-6 accent-accent",
          !isSelected &&
            "opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100",
        )}
      />
      <Caption task={task} />
    </li>
  );
});

interface MediaLinkProps extends Pick<TileActs, "onOpen"> {
  task: Task;
  name: string;
  isPreview: boolean;
}

/** The link to the task: its poster, or a text that says why there is none. */
function MediaLink({ task, name, isPreview, onOpen }: MediaLinkProps) {
  const { t } = useTranslation("gallery");
  const { taskId } = task;
  const { status, error, progress, files } = factsOf(task);
  const [file] = files;
  const [isBroken, setBroken] = useState(false);
  const waiting = error?.message ?? (progress === null ? t(`wait.${status}`) : `${progress} %`);
  const text = file === undefined ? waiting : isBroken || !isKept(file) ? t("mediaGone") : null;
  const label = t("openTask", { name, id: taskId.slice(-6) });
  return (
    <a
      href={`/console/tasks/${taskId}`}
      data-task={taskId}
      aria-label={text === null ? label : `${label}: ${text}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(taskId);
      }}
      className="relative grid min-h-0 flex-1 place-items-center overflow-hidden rounded-t-lg bg-sunken"
    >
      {text !== null && (
        <span dir="auto" className="line-clamp-3 px-3 text-center text-sm text-muted">
          {text}
        </span>
      )}
      {text === null && file !== undefined && (
        <Poster file={file} isPreview={isPreview} onBroken={() => setBroken(true)} />
      )}
    </a>
  );
}

interface PosterProps {
  file: MediaFile;
  isPreview: boolean;
  onBroken(): void;
}

function Poster({ file, isPreview, onBroken }: PosterProps) {
  return (
    <>
      <Placeholder thumbhash={file.thumbhash} />
      {file.posterUrl !== null && (
        <img
          src={file.posterUrl}
          alt=""
          decoding="async"
          onError={onBroken}
          className="absolute inset-0 size-full object-contain"
        />
      )}
      {isPreview && isVideo(file) && <Preview url={file.url} />}
    </>
  );
}

function Caption({ task }: { task: Task }) {
  const { t } = useTranslation("gallery");
  const { status, createdAt, files } = factsOf(task);
  const seconds = files[0]?.durationSeconds ?? null;
  return (
    <div
      style={{ height: captionHeight }}
      className="flex items-center justify-between gap-2 overflow-hidden px-2 text-sm"
    >
      <span className="min-w-0 truncate">
        {modelTitle(task.model)}
        {seconds !== null && ` · ${formatSeconds(seconds)}`}
      </span>
      {status === "COMPLETED" ? (
        <Time ms={createdAt} />
      ) : (
        <Badge tone={toneOf[status]}>{t(`status.${status}`)}</Badge>
      )}
    </div>
  );
}

/** Loads while it is there, and not a moment longer. */
function Preview({ url }: { url: string }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => stopLoading(video.current), []);
  return (
    <video
      ref={video}
      src={url}
      muted
      loop
      autoPlay
      playsInline
      className="absolute inset-0 size-full object-contain"
    />
  );
}
