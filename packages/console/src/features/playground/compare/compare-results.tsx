import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../components/button.tsx";
import { ErrorPanel } from "../../../components/error-panel.tsx";
import { Empty, Panel } from "../../../components/panel.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { RunView } from "../run/run-view.tsx";
import type { Run } from "../run/runs.ts";
import type { Entry } from "./use-compare.ts";

/** One model's part of a comparison, which may fail alone. */
export interface StartedEntry {
  entry: Entry;
  taskId: string | null;
  error: unknown;
}

interface Props {
  startedEntries: readonly StartedEntry[];
  runs: readonly Run[];
  onRetry(started: StartedEntry): void;
}

export function CompareResults({ startedEntries, runs, onRetry }: Props) {
  const { t } = useTranslation("playground");
  if (startedEntries.length === 0) return <Empty title={t("compare.empty")} />;
  return (
    <section
      aria-label={t("compare.results")}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] items-start gap-4"
    >
      {startedEntries.map((started) => (
        <Panel key={started.entry.candidate.model} title={started.entry.candidate.title}>
          <HeatView started={started} runs={runs} onRetry={() => onRetry(started)} />
        </Panel>
      ))}
    </section>
  );
}

function HeatView({
  started,
  runs,
  onRetry,
}: {
  started: StartedEntry;
  runs: readonly Run[];
  onRetry(): void;
}) {
  const { t } = useTranslation("playground");
  const { taskId, error, entry } = started;
  const run = runs.find(({ task }) => task.taskId === taskId);
  if (error !== null) return <ErrorPanel error={error} onRetry={onRetry} />;
  if (run === undefined)
    return (
      <div className="flex aspect-video items-center justify-center rounded-md bg-sunken text-muted">
        <Spinner className="size-8" />
      </div>
    );
  const search = { model: entry.candidate.model, again: taskId } as never;
  return (
    <>
      <RunView run={run} />
      <Link to={"/playground" as never} search={search} className={buttonClass("quiet", true)}>
        {t("compare.again")}
      </Link>
    </>
  );
}
