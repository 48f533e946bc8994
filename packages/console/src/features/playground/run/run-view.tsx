import { Link } from "@tanstack/react-router";
import type { GenerationTask } from "@zoetrope/sdk";
import type { Upscaler } from "@zoetrope/sdk/answers";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { Button, buttonClass } from "../../../components/button.tsx";
import { Code } from "../../../components/copy-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { formatCredits, formatSeconds } from "../../../lib/format.ts";
import { modelTitle } from "../../../lib/model-title.ts";
import { OutputView } from "./output-view.tsx";
import { isOver, type Run } from "./runs.ts";
import { UpscaleOffer } from "./upscale-offer.tsx";

const tones: Record<GenerationTask["status"], Tone> = {
  PENDING: "warn",
  PROCESSING: "accent",
  COMPLETED: "good",
  FAILED: "bad",
};

export function StatusBadge({ status }: { status: GenerationTask["status"] }) {
  const { t } = useTranslation("playground");
  return <Badge tone={tones[status]}>{t(`status.${status}`)}</Badge>;
}

interface Props {
  run: Run;
  upscaler?: Upscaler;
  /** Fills the form with the request of the task. */
  onAgain?(taskId: string): void;
}

/** A task from its acceptance to its files, with waiting told apart from working. */
export function RunView({ run, upscaler, onAgain }: Props) {
  const { t } = useTranslation("playground");
  const { task } = run;
  const { taskId, status, output } = task;
  const [file] = output ?? [];
  return (
    <article
      className="flex flex-col gap-3"
      aria-label={t("result.of", { model: modelTitle(task.model) })}
    >
      <div className="flex flex-wrap items-center gap-2" role="status">
        <StatusBadge status={status} />
        <span className="text-sm text-muted">
          {modelTitle(task.model)} · {t("credits", { credits: formatCredits(task.creditsUsed) })}
        </span>
        <Durations run={run} />
      </div>
      {!isOver(task) && <Waiting status={status} />}
      {status === "FAILED" && <Failure task={task} />}
      {output?.map((one, at) => (
        <OutputView key={one.url} taskId={taskId} index={at} output={one} />
      ))}
      {output?.length === 0 && <p className="text-muted">{t("result.gone")}</p>}
      {task.notes?.map(({ param, message }) => (
        <p key={`${param} ${message}`} className="text-sm text-muted">
          {message}
        </p>
      ))}
      {isOver(task) && onAgain !== undefined && (
        <div className="flex flex-wrap items-start gap-2">
          <Button isSmall onClick={() => onAgain(taskId)}>
            <Icon name="again" />
            {t("result.again")}
          </Button>
          {file !== undefined && upscaler !== undefined && (
            <UpscaleOffer taskId={taskId} output={file} upscaler={upscaler} />
          )}
        </div>
      )}
      <Link
        to="/tasks/$taskId"
        params={{ taskId } as never}
        className={`${buttonClass("quiet", true)} self-start`}
      >
        {t("result.open")}
        <Icon name="right" />
      </Link>
    </article>
  );
}

function Waiting({ status }: { status: GenerationTask["status"] }) {
  const { t } = useTranslation("playground");
  const isWorking = status === "PROCESSING";
  return (
    <div className="flex aspect-video max-h-[60vh] w-full flex-col items-center justify-center gap-2 rounded-md bg-sunken text-muted">
      {isWorking ? <Spinner className="size-8" /> : <Icon name="history" className="size-8" />}
      <p>{isWorking ? t("result.working") : t("result.waiting")}</p>
      <p className="text-sm">{t("result.mayLeave")}</p>
    </div>
  );
}

/** The sentence, the code, what it cost. */
function Failure({ task: { error, errorCode } }: { task: GenerationTask }) {
  const { t } = useTranslation("playground");
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-md border border-bad bg-bad-soft p-3">
      <p className="font-medium break-words">{error}</p>
      <p className="text-sm">
        {t("result.free")} {errorCode !== null && <Code>{errorCode}</Code>}
      </p>
    </div>
  );
}

/** The times that the task has waited and has been worked on; they count on while it lasts. */
function Durations({ run: { task, workingSince } }: { run: Run }) {
  const { t } = useTranslation("playground");
  const [now, setNow] = useState(() => Date.now());
  const isLasting = !isOver(task);
  useEffect(() => {
    if (!isLasting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isLasting]);
  const end = task.completeTime ?? Math.max(now, task.createTime);
  const workingFrom = workingSince === null ? end : Math.min(workingSince, end);
  const seconds = (from: number, to: number) =>
    formatSeconds(Math.max(0, Math.round((to - from) / 1000)));
  if (workingSince === null && !isLasting)
    return <span className="text-sm text-muted">{seconds(task.createTime, end)}</span>;
  return (
    <span className="text-sm text-muted" aria-live="off">
      {t("result.waited", { time: seconds(task.createTime, workingFrom) })}
      {workingSince !== null && ` · ${t("result.worked", { time: seconds(workingFrom, end) })}`}
    </span>
  );
}
