import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { AreaField } from "../../../components/field.tsx";
import { promptUnits } from "../form/prompt-units.ts";
import type { FormField } from "../form/read-forms.ts";
import { MagicWords } from "./magic-words.tsx";

interface Props {
  field: FormField;
  value: string;
  error?: string | undefined;
  /** Whether the account is a test account, in which the words that cause outcomes are offered. */
  isTest: boolean;
  onChange(value: string): void;
}

export function PromptField({ field, value, error, isTest, onChange }: Props) {
  const { t } = useTranslation("playground");
  const box = useRef<HTMLDivElement>(null);
  const { unitsMax } = field;
  const units = unitsMax === null ? 0 : promptUnits(value);
  const add = (word: string) => {
    onChange(value.trim() === "" ? word : `${value.trimEnd()} ${word}`);
    box.current?.querySelector("textarea")?.focus();
  };
  return (
    <div ref={box} className="flex flex-col gap-2">
      <AreaField
        label={field.title}
        error={error}
        help={
          unitsMax !== null && units > unitsMax * 0.8
            ? t(units > unitsMax ? "field.cut" : "field.units", { units, max: unitsMax })
            : undefined
        }
        dir="auto"
        rows={5}
        placeholder={field.description}
        required={field.isRequired}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="field-sizing-content max-h-80 min-h-28"
      />
      {isTest && <MagicWords onAdd={add} />}
    </div>
  );
}
