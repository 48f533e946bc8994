import { useTranslation } from "react-i18next";
import type { Form, FormField } from "../form/read-forms.ts";
import { refusedWith, shownValue, type Values } from "../form/values.ts";
import { RadioGroup } from "./radio-group.tsx";
import { RatioShape } from "./ratio-shape.tsx";

interface Props {
  form: Form;
  field: FormField;
  values: Values;
  error?: string | undefined;
  onChange(value: string | undefined): void;
}

/** One of several: ratios as shapes, others by their labels. A value that does not go with the rest is not offered. */
export function ChoiceField({ form, field, values, error, onChange }: Props) {
  const { t } = useTranslation("playground");
  const isRatio = field.control === "ratio";
  const refusalOf = (value: string) => {
    const others = refusedWith(form, values, field, value);
    return others && t("field.refused", { fields: others.map(({ title }) => title).join(", ") });
  };
  const choices = field.options.map(({ value, label }) => ({
    value,
    refusal: refusalOf(value),
    label: isRatio ? (
      <span className="flex flex-col items-center gap-0.5 text-xs">
        <RatioShape ratio={label} />
        {label}
      </span>
    ) : (
      label
    ),
  }));
  const mayLeaveOut = field.default === null && !field.isRequired;
  const none = { value: "", label: isRatio ? t("field.automatic") : t("field.none") };
  return (
    <RadioGroup
      title={field.title}
      help={field.control === "choice" ? field.description : undefined}
      error={error}
      value={String(shownValue(field, values) ?? "")}
      choices={mayLeaveOut ? [none, ...choices] : choices}
      onChange={(value) => onChange(value === "" ? undefined : value)}
    />
  );
}
