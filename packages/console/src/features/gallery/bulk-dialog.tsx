import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Button, type ButtonVariant } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";

interface Props<Job> {
  title: string;
  /** A sentence about what the action does, and to how many. */
  effect: ReactNode;
  action: string;
  variant: ButtonVariant;
  jobs: readonly Job[];
  work(job: Job, signal: AbortSignal): Promise<void>;
  /** Called with the finished jobs, also if the action was stopped. */
  onDone(done: readonly Job[]): void;
  onClose(): void;
}

interface Progress<Job> {
  done: Job[];
  failed: number;
  error: unknown;
  state: "asking" | "running" | "over";
}

/** Says what it will do, does it one after the other, and can be stopped. */
export function BulkDialog<Job>(props: Props<Job>) {
  const { title, effect, action, variant, jobs, work, onDone, onClose } = props;
  const { t } = useTranslation("gallery");
  const { t: frame } = useTranslation();
  const stop = useRef(new AbortController());
  const [{ done, failed, error, state }, setProgress] = useState<Progress<Job>>({
    done: [],
    failed: 0,
    error: null,
    state: "asking",
  });
  const start = async () => {
    const finished: Job[] = [];
    let failures = 0;
    let fault: unknown = null;
    const showProgress = (now: Progress<Job>["state"]) =>
      setProgress({ done: [...finished], failed: failures, error: fault, state: now });
    showProgress("running");
    for (const job of jobs) {
      if (stop.current.signal.aborted) break;
      try {
        await work(job, stop.current.signal);
        finished.push(job);
      } catch (caught) {
        if (stop.current.signal.aborted) break;
        failures += 1;
        fault = caught;
      }
      showProgress("running");
    }
    showProgress("over");
    onDone(finished);
  };
  const close = () => {
    stop.current.abort();
    onClose();
  };
  return (
    <Dialog title={title} isOpen onClose={close}>
      {state === "asking" ? effect : null}
      {state !== "asking" && (
        <>
          <progress
            aria-label={title}
            value={done.length + failed}
            max={jobs.length}
            className="h-2 w-full accent-accent"
          />
          <p aria-live="polite">
            {t("bulk.progress", { done: done.length, count: jobs.length })}
            {state === "over" && done.length < jobs.length && ` ${t("bulk.stopped")}`}
          </p>
        </>
      )}
      {failed > 0 && <Notice tone="bad">{t("bulk.failed", { count: failed })}</Notice>}
      {error !== null && state === "over" && <ErrorPanel error={error} />}
      <div className="flex justify-end gap-2">
        {state === "asking" && <Button onClick={close}>{frame("cancel")}</Button>}
        {state === "asking" && (
          <Button variant={variant} disabled={jobs.length === 0} onClick={() => void start()}>
            {action}
          </Button>
        )}
        {state === "running" && (
          <Button onClick={() => stop.current.abort()}>{t("bulk.stop")}</Button>
        )}
        {state === "over" && <Button onClick={close}>{frame("close")}</Button>}
      </div>
    </Dialog>
  );
}
