import { useTranslation } from "react-i18next";
import { AreaField, CheckField, SelectField } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Panel } from "../../../components/panel.tsx";
import { formatCredits } from "../../../lib/format.ts";
import { RadioGroup } from "../fields/radio-group.tsx";
import { RatioShape } from "../fields/ratio-shape.tsx";
import { RunBar, type RunBlocker } from "../run-bar.tsx";
import { modelsMax, type useCompare } from "./use-compare.ts";

type Comparison = ReturnType<typeof useCompare>;

interface Props {
  comparison: Comparison;
  total: number | null;
  blocker: RunBlocker | null;
  isBusy: boolean;
  onRun(): void;
}

export function CompareForm({ comparison, total, blocker, isBusy, onRun }: Props) {
  const { t } = useTranslation("playground");
  const { shared, setPrompt, isChecking } = comparison;
  return (
    <Panel>
      <Form
        className="flex flex-col gap-4"
        isReady={blocker === null && !isChecking && !isBusy}
        onSubmit={onRun}
      >
        <AreaField
          label={t("compare.prompt")}
          placeholder={t("compare.promptExample")}
          dir="auto"
          value={shared.prompt}
          onChange={(event) => setPrompt(event.target.value)}
          className="field-sizing-content max-h-60 min-h-20"
        />
        <Models comparison={comparison} />
        <Settings comparison={comparison} />
        <RunBar
          label={t("compare.run")}
          price={total}
          {...{ blocker, isChecking, isBusy, onRun, error: null }}
        />
      </Form>
    </Panel>
  );
}

function Models({
  comparison: { candidates, chosen, entries, toggle },
}: {
  comparison: Comparison;
}) {
  const { t } = useTranslation("playground");
  return (
    <fieldset>
      <legend className="mb-1 font-medium">
        {t("compare.models")}{" "}
        <span className="text-sm font-normal text-muted">{t("compare.modelsHelp")}</span>
      </legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {candidates.map(({ model, title }) => {
          const isChosen = chosen.some((one) => one.model === model);
          const price = entries.find((one) => one.candidate.model === model)?.price ?? null;
          return (
            <CheckField
              key={model}
              label={title}
              help={price === null ? undefined : t("credits", { credits: formatCredits(price) })}
              checked={isChosen}
              disabled={!isChosen && chosen.length >= modelsMax}
              onChange={() => toggle(model)}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

/** Only what all chosen models can do. */
function Settings({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation("playground");
  const { range, ratios, shared, setDuration, setRatio } = comparison;
  if (range === null && ratios.length === 0) return null;
  const lengths =
    range === null
      ? []
      : Array.from({ length: range.max - range.min + 1 }, (_, at) => range.min + at);
  return (
    <div className="flex flex-wrap items-start gap-6">
      {ratios.length > 0 && (
        <RadioGroup
          title={t("compare.ratio")}
          value={shared.ratio}
          choices={[
            { value: "", label: t("field.automatic") },
            ...ratios.map((ratio) => ({
              value: ratio,
              label: (
                <span className="flex flex-col items-center gap-0.5 text-xs">
                  <RatioShape ratio={ratio} />
                  {ratio}
                </span>
              ),
            })),
          ]}
          onChange={setRatio}
        />
      )}
      {range !== null && (
        <SelectField
          label={t("compare.duration")}
          value={shared.duration}
          onChange={(event) => setDuration(event.target.value)}
        >
          <option value="">{t("field.automatic")}</option>
          {lengths.map((seconds) => (
            <option key={seconds} value={seconds}>
              {t("field.seconds", { count: seconds })}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}
