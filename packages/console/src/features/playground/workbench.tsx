import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Panel } from "../../components/panel.tsx";
import { CopyAsPanel } from "./copy-as/copy-as-panel.tsx";
import { FormPanel } from "./form-panel.tsx";
import { EarlierRuns } from "./run/earlier-runs.tsx";
import { RunView } from "./run/run-view.tsx";
import { useDraft } from "./use-draft.ts";
import { useFillFrom } from "./use-fill-from.ts";
import { useGeneration } from "./use-generation.ts";
import type { Catalogue, Model } from "./use-models.ts";

interface Props {
  models: readonly [Model, ...Model[]];
  upscaler: Catalogue["upscaler"];
}

/** The form, its price, and the result beside it. */
export function Workbench({ models, upscaler }: Props) {
  const { t } = useTranslation("playground");
  const draft = useDraft(models);
  const filled = useFillFrom(draft);
  const generation = useGeneration(draft);
  const { shown } = generation;
  const again = (taskId: string) => {
    draft.fillFrom(taskId);
    document.getElementById("content")?.focus();
  };
  return (
    <>
      {filled.error !== null && <ErrorPanel error={filled.error} />}
      {filled.isUnfit && <Notice tone="warn">{t("unfit")}</Notice>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <FormPanel models={models} draft={draft} generation={generation} />
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t("result.title")}>
            {shown === null ? (
              <Empty title={t("result.empty")}>{t("result.emptyAbout")}</Empty>
            ) : (
              <RunView key={shown.task.taskId} run={shown} upscaler={upscaler} onAgain={again} />
            )}
          </Panel>
          <CopyAsPanel
            request={{
              model: draft.model.model,
              inputs: generation.inputs,
              maxCredits: generation.price,
            }}
          />
        </div>
      </div>
      <EarlierRuns
        runs={generation.runs}
        shown={shown?.task.taskId ?? null}
        onShow={(task) => generation.show(task)}
      />
    </>
  );
}
