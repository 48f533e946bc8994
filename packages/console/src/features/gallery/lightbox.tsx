import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Badge } from "../../components/badge.tsx";
import { Button, buttonClass, IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import { formatCredits } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { DeleteDialog } from "./bulk-actions.tsx";
import { DownloadButton } from "./download-button.tsx";
import { factsOf, keptFiles, type Task, toneOf } from "./item.ts";
import { Player } from "./player.tsx";

interface Props {
  task: Task;
  /** Null at the ends. */
  onBefore: (() => void) | null;
  onAfter: (() => void) | null;
  onClose(): void;
  onChanged(tasks: readonly Task[]): void;
}

/** One task over the gallery: Escape closes, arrows go on, the address names it. */
export function Lightbox({ task, onBefore, onAfter, onClose, onChanged }: Props) {
  const { t } = useTranslation("gallery");
  const { t: frame } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const press = (event: React.KeyboardEvent) => {
    const { target } = event;
    const isElsewhere = // a video has keys of its own, and so has a dialog above this one
      target instanceof HTMLVideoElement ||
      (target instanceof Element && target.closest("dialog") !== dialog.current);
    const act = { ArrowLeft: onBefore, ArrowRight: onAfter }[event.key];
    if (act === undefined || act === null || isElsewhere) return;
    event.preventDefault();
    act();
  };
  const { files } = factsOf(task);
  const label = `${modelTitle(task.model)} ${task.taskId}`;
  return (
    <dialog
      ref={dialog}
      aria-label={t("lightbox", { name: label })}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={press}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-page text-ink backdrop:bg-black/70"
    >
      <div className="flex h-full flex-col">
        <div className="flex items-center justify-between gap-2 p-2">
          <h2 className="min-w-0 truncate px-2 font-semibold">{modelTitle(task.model)}</h2>
          <IconButton label={frame("close")} onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </div>
        <div className="flex min-h-0 flex-1 items-center gap-2 px-2">
          <Step label={t("before")} icon="left" act={onBefore} />
          <div className="grid h-full min-w-0 flex-1 auto-rows-fr place-items-center gap-2 overflow-auto">
            {files.length === 0 && <Unfinished task={task} />}
            {files.map((file, index) => (
              <Player
                key={file.url}
                file={file}
                label={label}
                isAutoPlay={index === 0}
                className="mx-auto max-h-full max-w-full rounded [inline-size:min(100%,calc((100dvh-9rem)*var(--shape)))]"
              />
            ))}
          </div>
          <Step label={t("after")} icon="right" act={onAfter} />
        </div>
        <Actions task={task} onChanged={onChanged} />
      </div>
    </dialog>
  );
}

interface StepProps {
  label: string;
  icon: "left" | "right";
  act: (() => void) | null;
}

function Step({ label, icon, act }: StepProps) {
  return (
    <IconButton label={label} disabled={act === null} onClick={() => act?.()}>
      <Icon name={icon} className="size-6" />
    </IconButton>
  );
}

function Unfinished({ task }: { task: Task }) {
  const { t } = useTranslation("gallery");
  const { status, error, progress } = factsOf(task);
  return (
    <div aria-live="polite" className="flex max-w-prose flex-col items-center gap-2 text-center">
      <Badge tone={toneOf[status]}>{t(`status.${status}`)}</Badge>
      {progress !== null && <p>{progress} %</p>}
      {error !== null && <p dir="auto">{error.message}</p>}
    </div>
  );
}

function Actions({ task, onChanged }: Pick<Props, "task" | "onChanged">) {
  const { t } = useTranslation("gallery");
  const { account } = useAccount();
  const [isDeleting, setDeleting] = useState(false);
  const { createdAt } = factsOf(task);
  const kept = keptFiles(task);
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 p-3">
      <span className="text-muted">
        <Time ms={createdAt} /> · {t("credits", { credits: formatCredits(task.credits) })}
      </span>
      {kept.map((file, index) => (
        <DownloadButton key={file.url} taskId={task.taskId} index={index} file={file} />
      ))}
      <Link
        to={"/tasks/$taskId" as never}
        params={{ taskId: task.taskId } as never}
        className={buttonClass()}
      >
        {t("details")}
      </Link>
      {account.role !== "viewer" && kept.length > 0 && (
        <Button variant="danger" onClick={() => setDeleting(true)}>
          <Icon name="delete" />
          {t("remove.short")}
        </Button>
      )}
      {isDeleting && (
        <DeleteDialog tasks={[task]} onChanged={onChanged} onClose={() => setDeleting(false)} />
      )}
    </div>
  );
}
