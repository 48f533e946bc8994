import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Notice } from "../../components/badge.tsx";
import { SelectField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { isDialogOpen } from "../../components/open-dialogs.ts";
import { Panel } from "../../components/panel.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { FormFields } from "./fields/form-fields.tsx";
import { AssetOffer } from "./files/asset-offer.tsx";
import { PriceItems } from "./price-items.tsx";
import { RunBar } from "./run-bar.tsx";
import type { Draft } from "./use-draft.ts";
import type { Generation } from "./use-generation.ts";
import type { Model } from "./use-models.ts";

interface Props {
  models: readonly Model[];
  draft: Draft;
  generation: Generation;
}

export function FormPanel({ models, draft, generation }: Props) {
  const { t } = useTranslation("playground");
  const { account } = useAccount();
  const { model, forms, form } = draft;
  const fields = (
    <>
      <p className="mb-4 text-muted">{form.description}</p>
      {draft.asset !== "" && <AssetOffer draft={draft} />}
      <FormFields
        draft={draft}
        isTest={account.isTest}
        errorOf={generation.errorOf}
        onUploading={generation.setUploading}
      />
    </>
  );
  return (
    <Panel>
      <Form
        className="flex flex-col gap-4"
        isReady={generation.canRun}
        onSubmit={generation.run}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          if (generation.canRun && !isDialogOpen()) generation.run(); // keys of the library come here as well
        }}
      >
        <SelectField
          label={t("model")}
          help={model.summary}
          value={model.model}
          onChange={(event) => draft.chooseModel(event.target.value)}
        >
          <ModelOptions models={models} />
        </SelectField>
        {model.deprecation !== null && (
          <Notice tone="warn">{t("deprecated", { date: model.deprecation.sunset })}</Notice>
        )}
        {forms.length === 1 ? (
          fields
        ) : (
          <Tabs
            label={t("mode")}
            value={form.mode}
            onChange={draft.chooseMode}
            tabs={forms.map(({ mode, title }) => ({ value: mode, label: title }))}
          >
            {fields}
          </Tabs>
        )}
        <RunBar
          label={t("run")}
          price={generation.price}
          blocker={generation.blocker}
          isChecking={generation.quote.isChecking}
          isBusy={generation.isBusy}
          error={generation.error}
          onRun={generation.run}
        >
          {generation.quote.price !== null && <PriceItems quote={generation.quote.price} />}
        </RunBar>
      </Form>
    </Panel>
  );
}

function ModelOptions({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("playground");
  return (["video", "image"] as const).map((kind) => (
    <optgroup key={kind} label={t(`kind.${kind}`)}>
      {models
        .filter((model) => model.kind === kind)
        .map(({ model, title }) => (
          <option key={model} value={model}>
            {title}
          </option>
        ))}
    </optgroup>
  ));
}
