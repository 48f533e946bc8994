import { useCallback, useMemo, useState } from "react";
import { useAccount } from "../../app/session.tsx";
import { useFilters } from "../../lib/filters.ts";
import { keepDraft, keepLastModel, readDraft, readLastModel, type SentRequest } from "./drafts.ts";
import { type Form, readForms } from "./form/read-forms.ts";
import { formOf, type Value, type Values, valuesOf } from "./form/values.ts";
import type { Model } from "./use-models.ts";

const defaults = { model: "", mode: "", again: "", asset: "" };

export interface Draft {
  model: Model;
  forms: readonly Form[];
  form: Form;
  values: Values;
  /** The task whose request is to fill the form. */
  again: string;
  /** The asset that the person came with, which is not used yet. */
  asset: string;
  chooseModel(model: string): void;
  chooseMode(mode: string): void;
  setValue(name: string, value: Value | undefined): void;
  dropAsset(): void;
  /** Fills the form as a task was asked for. */
  fillFrom(taskId: string): void;
  fill(request: SentRequest): boolean;
}

/** The form as it is filled in. Model and mode are in the URL; what was entered is kept in the browser. */
export function useDraft(models: readonly [Model, ...Model[]]): Draft {
  const { accountId } = useAccount().account;
  const [filters, change] = useFilters(defaults);
  const named = (name: string | null) => models.find(({ model }) => model === name);
  const model = named(filters.model) ?? named(readLastModel(accountId)) ?? models[0];
  const forms = useMemo(() => readForms(model.inputs), [model]);
  const form = forms.find(({ mode }) => mode === filters.mode) ?? (forms[0] as Form);
  const [entered, setEntered] = useState<Readonly<Record<string, Values>>>({});
  const values = useMemo(
    () => entered[model.model] ?? readDraft(accountId, model.model),
    [entered, accountId, model.model],
  );
  const keep = useCallback(
    (of: string, next: Values) => {
      keepDraft(accountId, of, next);
      setEntered((before) => ({ ...before, [of]: next }));
    },
    [accountId],
  );
  return {
    model,
    forms,
    form,
    values,
    again: filters.again,
    asset: filters.asset,
    chooseModel: (next) => {
      const kept = readDraft(accountId, next);
      const of = named(next);
      if (of !== undefined) keep(next, carryPrompt(readForms(of.inputs), form, values, kept));
      keepLastModel(accountId, next);
      change({ model: next, mode: "" });
    },
    chooseMode: (mode) => change({ model: model.model, mode }),
    setValue: (name, value) => {
      const of = model.model;
      setEntered((before) => {
        const next = { ...(before[of] ?? values), [name]: value };
        keepDraft(accountId, of, next);
        return { ...before, [of]: next };
      });
    },
    dropAsset: () => change({ asset: "" }, { replace: true }),
    fillFrom: (taskId) => change({ again: taskId }),
    fill: (request) => {
      const of = named(request.model);
      const { inputs } = request;
      const fitting = of && inputs && formOf(readForms(of.inputs), inputs);
      if (!fitting) return false;
      keep(request.model, valuesOf(fitting, inputs));
      change({ model: request.model, mode: fitting.mode, again: "" }, { replace: true });
      return true;
    },
  };
}

/** Carries the current prompt over to another model, unless that model already has a prompt. */
function carryPrompt(forms: readonly Form[], from: Form, values: Values, kept: Values): Values {
  const promptOf = (form: Form | undefined) =>
    form?.fields.find(({ control }) => control === "prompt")?.name;
  const [source, target] = [promptOf(from), promptOf(forms[0])];
  if (source === undefined || target === undefined) return kept;
  const own = kept[target];
  return typeof own === "string" && own.trim() !== ""
    ? kept
    : { ...kept, [target]: values[source] };
}
