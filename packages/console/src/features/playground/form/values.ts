import type { Form, FormField } from "./read-forms.ts";

/** A file of an input: where it is, and what to show for it. */
export interface FileRef {
  url: string;
  name: string | null;
  /** Only while the page is open. */
  previewUrl?: string | null;
}

export type Value = string | boolean | readonly FileRef[];
/** The values that a person entered, by input. They are kept when the mode changes. */
export type Values = Readonly<Record<string, Value | undefined>>;
export type Inputs = Readonly<Record<string, unknown>>;

export function filesOf(values: Values, name: string): readonly FileRef[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

/** Returns the value that a control shows: the one entered, if this mode takes it, else the default. */
export function shownValue(field: FormField, values: Values): string | boolean | null {
  const value = values[field.name];
  if (field.control === "toggle") return typeof value === "boolean" ? value : field.default;
  if (typeof value !== "string") return field.default;
  const isChoice = field.options.length > 0;
  if (isChoice && !field.options.some((option) => option.value === value)) return field.default;
  return value;
}

/** Exactly what is sent: without what is empty, and without what is the default anyway. */
export function inputsOf(form: Form, values: Values): Inputs {
  const inputs: Record<string, unknown> = {};
  for (const field of form.fields) {
    const value = inputOf(field, values);
    if (value !== undefined) inputs[field.name] = value;
  }
  return inputs;
}

function inputOf(field: FormField, values: Values): unknown {
  if (field.control === "fixed") return field.constant;
  if (field.control === "files") {
    const urls = filesOf(values, field.name).map(({ url }) => url);
    return urls.length === 0 ? undefined : urls.slice(0, field.media?.countMax);
  }
  const value = shownValue(field, values);
  if (value === null || (typeof value === "string" && value.trim() === "")) return undefined;
  if (value === field.default && !field.isRequired) return undefined;
  if (field.control === "seed") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value;
}

/** The values of a form that would send these inputs. */
export function valuesOf(form: Form, inputs: Inputs): Values {
  const values: Record<string, Value> = {};
  for (const { name, control } of form.fields) {
    const input = inputs[name];
    if (control === "files" && Array.isArray(input))
      values[name] = input.map((url) => ({ url: String(url), name: null }));
    else if (control === "toggle" && typeof input === "boolean") values[name] = input;
    else if (control === "seconds" && typeof input === "string")
      values[name] = input.replace(/s$/, "");
    else if (typeof input === "string" || typeof input === "number") values[name] = String(input);
  }
  return values;
}

/**
 * The form that inputs were made for: its constants and its files are there, and it takes all of them; or
 * all but some settings, which the service names with their defaults in every mode.
 */
export function formOf(forms: readonly Form[], inputs: Inputs): Form | undefined {
  const given = Object.entries(inputs).filter(([, value]) => value !== null);
  const takes = ({ fields }: Form, isExact: boolean) =>
    given.every(
      ([name, value]) =>
        fields.some((field) => field.name === name) || (!isExact && !Array.isArray(value)),
    ) && fields.every((field) => fits(field, inputs[field.name] ?? undefined));
  return forms.find((form) => takes(form, true)) ?? forms.find((form) => takes(form, false));
}

function fits({ control, constant, isRequired, media }: FormField, input: unknown): boolean {
  if (control === "fixed") return input === constant || (input === undefined && !isRequired);
  if (control !== "files") return true;
  const count = Array.isArray(input) ? input.length : 0;
  if (count === 0) return !isRequired;
  return count >= (media?.countMin ?? 0) && count <= (media?.countMax ?? count);
}

export type Missing =
  | { kind: "input" | "files"; field: FormField }
  | { kind: "any"; fields: readonly FormField[] }
  | { kind: "tooMany"; max: number };

/** Why the form cannot be sent yet, as far as it says so itself. */
export function missingOf(form: Form, values: Values): Missing | null {
  const inputs = inputsOf(form, values);
  for (const field of form.fields) {
    const files = filesOf(values, field.name);
    if (field.control === "files") {
      const countMin = field.media?.countMin ?? 0;
      const isShort = files.length < countMin && (field.isRequired || files.length > 0);
      if (isShort) return { kind: "files", field };
    }
    if (field.isRequired && inputs[field.name] === undefined) return { kind: "input", field };
  }
  const { requiresAny, filesMax } = form;
  const any = form.fields.filter(({ name }) => requiresAny.includes(name));
  if (any.length > 0 && any.every(({ name }) => inputs[name] === undefined))
    return { kind: "any", fields: any };
  const count = Object.values(inputs).filter(Array.isArray).flat().length;
  return count > filesMax ? { kind: "tooMany", max: filesMax } : null;
}

/** The fields whose present values do not go together with this value; null if it can be chosen. */
export function refusedWith(
  form: Form,
  values: Values,
  { name }: FormField,
  value: string,
): FormField[] | null {
  const isChosen = (other: string, wanted: string) => {
    const field = form.fields.find((one) => one.name === other);
    return field !== undefined && shownValue(field, values) === wanted;
  };
  const refused = form.refused.find(
    (choices) =>
      choices[name] === value &&
      Object.entries(choices).every(([other, wanted]) => other === name || isChosen(other, wanted)),
  );
  if (refused === undefined) return null;
  return form.fields.filter((field) => field.name !== name && field.name in refused);
}

/** `inputs.urls[2]` is the third file of `urls`. */
export function readParam(param: string | null): { name: string; at: number | null } | null {
  const found = /^inputs\.([A-Za-z0-9_]+)(?:\[(\d+)\])?/.exec(param ?? "");
  if (found?.[1] === undefined) return null;
  return { name: found[1], at: found[2] === undefined ? null : Number(found[2]) };
}
