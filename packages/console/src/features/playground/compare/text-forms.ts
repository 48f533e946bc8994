import { type Form, readForms } from "../form/read-forms.ts";
import { type Inputs, inputsOf, missingOf, type Values } from "../form/values.ts";
import type { Model } from "../use-models.ts";

/** A model that makes something of a prompt alone. */
export interface Candidate {
  model: string;
  title: string;
  form: Form;
  promptName: string;
}

/** The settings chosen for all models at once; an empty one leaves each model its default. */
export interface Shared {
  prompt: string;
  duration: string;
  /** The ratio as it is shown, such as 16:9: models spell it differently. */
  ratio: string;
}

export function candidatesOf(models: readonly Model[]): Candidate[] {
  return models.flatMap(({ model, title, inputs }) => {
    for (const form of readForms(inputs)) {
      const promptName = form.fields.find(({ control }) => control === "prompt")?.name;
      if (promptName !== undefined && missingOf(form, { [promptName]: "…" }) === null)
        return [{ model, title, form, promptName }];
    }
    return [];
  });
}

/** Returns the inputs for one model. A setting that the model does not have is left out. */
export function inputsFor({ form, promptName }: Candidate, shared: Shared): Inputs {
  const values: Record<string, Values[string]> = { [promptName]: shared.prompt };
  for (const { name, control, options } of form.fields) {
    if (control === "seconds" && shared.duration !== "") values[name] = shared.duration;
    const option = options.find(({ label }) => label === shared.ratio);
    if (control === "ratio" && option !== undefined) values[name] = option.value;
  }
  return inputsOf(form, values);
}

/** The lengths that all models with a length can make; null if there is none. */
export function sharedRange(chosen: readonly Candidate[]): { min: number; max: number } | null {
  const ranges = chosen.flatMap(({ form }) =>
    form.fields.flatMap(({ control, range }) => (control === "seconds" ? [range] : [])),
  );
  const min = Math.max(...ranges.map((range) => range.min));
  const max = Math.min(...ranges.map((range) => range.max));
  return ranges.length > 0 && min <= max ? { min, max } : null;
}

/** The ratios that all models with a ratio have. */
export function sharedRatios(chosen: readonly Candidate[]): string[] {
  const [first = [], ...others] = chosen.flatMap(({ form }) =>
    form.fields.flatMap(({ control, options }) =>
      control === "ratio" ? [options.map(({ label }) => label)] : [],
    ),
  );
  return first.filter((ratio) => others.every((ratios) => ratios.includes(ratio)));
}
