import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import { factsOf, type Task } from "../gallery/item.ts";
import { CallbacksPanel } from "./callbacks-panel.tsx";
import { FactsPanel } from "./facts-panel.tsx";
import { Failure } from "./failure.tsx";
import { InputsPanel } from "./inputs-panel.tsx";
import { OutputPanel } from "./output-panel.tsx";
import { PricePanel } from "./price-panel.tsx";
import { RunAgain } from "./run-again.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";
import type { useTask } from "./use-task.ts";

type Reads = ReturnType<typeof useTask>;

/** Everything about one task. */
export function TaskView(reads: Reads & { task: Reads["task"] }) {
  const { task } = reads;
  if (task.isPending) return <Waiting />;
  if (task.error !== null)
    return <ErrorPanel error={task.error} onRetry={() => void task.refetch()} />;
  return task.data === null ? <Missing /> : <Columns {...reads} shown={task.data} />;
}

function Columns({ shown, timeline, request, show, readTimeline }: Reads & { shown: Task }) {
  const { status, endedAt } = factsOf(shown);
  return (
    <>
      {status === "FAILED" && <Failure task={shown} request={request.data} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <OutputPanel task={shown} onChanged={show} />
          {request.data !== undefined && <InputsPanel request={request.data} />}
          {request.error !== null && (
            <ErrorPanel error={request.error} onRetry={() => void request.refetch()} />
          )}
          {status !== "FAILED" && <RunAgain task={shown} request={request.data} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <FactsPanel task={shown} />
          <PricePanel task={shown} request={request.data} />
          {timeline.error !== null && (
            <ErrorPanel error={timeline.error} onRetry={() => void timeline.refetch()} />
          )}
          {timeline.isPending && <Skeleton className="h-64" />}
          {timeline.data !== undefined && (
            <>
              <TimelinePanel timeline={timeline.data} />
              <CallbacksPanel
                timeline={timeline.data}
                isOver={endedAt !== null}
                onChanged={readTimeline}
              />
            </>
          )}
        </div>
      </div>
    </>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Skeleton className="h-96" />
      <Skeleton className="h-96" />
    </div>
  );
}

function Missing() {
  const { t } = useTranslation("gallery");
  return (
    <Empty title={t("task.missing")}>
      <p className="mb-3">{t("task.missingAbout")}</p>
      <Link to={"/gallery" as never} className={buttonClass("primary")}>
        {t("task.toGallery")}
      </Link>
    </Empty>
  );
}
