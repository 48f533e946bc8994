import { useTranslation } from "react-i18next";
import { Field } from "../../../components/field.tsx";
import type { FormField } from "../form/read-forms.ts";

interface Props {
  field: FormField;
  value: string;
  error?: string | undefined;
  onChange(value: string): void;
}

/** A slider for the hand and a number for the keyboard. */
export function SecondsField({ field, value, error, onChange }: Props) {
  const { t } = useTranslation("playground");
  const { min, max, step } = field.range;
  const limits = { min, max, step };
  return (
    <Field label={field.title} error={error}>
      {(control) => (
        <div className="flex items-center gap-3">
          <input
            {...control}
            {...limits}
            type="range"
            value={value === "" ? min : value}
            aria-valuetext={t("field.seconds", { count: Number(value) })}
            onChange={(event) => onChange(event.target.value)}
            className="h-9 min-w-0 flex-1 accent-accent"
          />
          <span className="flex items-center gap-1.5">
            <input
              {...limits}
              type="number"
              inputMode="numeric"
              aria-label={`${field.title}, ${t("field.secondsUnit")}`}
              aria-invalid={control["aria-invalid"]}
              value={value}
              onChange={(event) => onChange(event.target.value)}
              className="h-9 w-16 rounded-md border border-line-strong bg-panel px-2 text-right aria-invalid:border-bad"
            />
            <span aria-hidden="true" className="text-muted">
              s
            </span>
          </span>
        </div>
      )}
    </Field>
  );
}
