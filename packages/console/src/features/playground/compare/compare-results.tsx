import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../components/button.tsx";
import { Drum } from "../../../components/drum.tsx";
import { ErrorPanel } from "../../../components/error-panel.tsx";
import { Empty, Panel } from "../../../components/panel.tsx";
import { RunView } from "../run/run-view.tsx";
import type { Run } from "../run/runs.ts";
import type { Entry } from "./use-compare.ts";

/** One model's part of a comparison, which may fail alone. */
export interface Heat {
  entry: Entry;
  taskId: string | null;
  error: unknown;
}

interface Props {
  heats: readonly Heat[];
  runs: readonly Run[];
  onRetry(heat: Heat): void;
}

export function CompareResults({ heats, runs, onRetry }: Props) {
  const { t } = useTranslation("playground");
  if (heats.length === 0) return <Empty title={t("compare.empty")} />;
  return (
    <section
      aria-label={t("compare.results")}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] items-start gap-4"
    >
      {heats.map((heat) => (
        <Panel key={heat.entry.contestant.model} title={heat.entry.contestant.title}>
          <HeatView heat={heat} runs={runs} onRetry={() => onRetry(heat)} />
        </Panel>
      ))}
    </section>
  );
}

function HeatView({ heat, runs, onRetry }: { heat: Heat; runs: readonly Run[]; onRetry(): void }) {
  const { t } = useTranslation("playground");
  const { taskId, error, entry } = heat;
  const run = runs.find(({ task }) => task.taskId === taskId);
  if (error !== null) return <ErrorPanel error={error} onRetry={onRetry} />;
  if (run === undefined)
    return (
      <div className="flex aspect-video items-center justify-center rounded-md bg-sunken text-muted">
        <Drum className="size-8" />
      </div>
    );
  const search = { model: entry.contestant.model, again: taskId } as never;
  return (
    <>
      <RunView run={run} />
      <Link to={"/playground" as never} search={search} className={buttonClass("quiet", true)}>
        {t("compare.again")}
      </Link>
    </>
  );
}
