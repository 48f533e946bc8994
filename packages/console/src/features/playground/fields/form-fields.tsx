import { useTranslation } from "react-i18next";
import { CheckField, TextField } from "../../../components/field.tsx";
import { FilesField } from "../files/files-field.tsx";
import type { FormField } from "../form/read-forms.ts";
import { filesOf, shownValue, type Value, type Values } from "../form/values.ts";
import type { Draft } from "../use-draft.ts";
import { ChoiceField } from "./choice-field.tsx";
import { PromptField } from "./prompt-field.tsx";
import { SecondsField } from "./seconds-field.tsx";

interface Props {
  draft: Pick<Draft, "form" | "values" | "setValue">;
  isTest: boolean;
  /** Returns the server's message about a field. */
  errorOf(field: FormField): string | undefined;
  /** Called with the number of files that are being uploaded. */
  onUploading(name: string, count: number): void;
}

/** The form of a mode, from its fields alone; what most people leave as it is, is folded. */
export function FormFields(props: Props) {
  const { t } = useTranslation("playground");
  const { fields } = props.draft.form;
  const shown = fields.filter(({ control }) => control !== "fixed");
  const advanced = shown.filter(({ isAdvanced }) => isAdvanced);
  const hasError = advanced.some((field) => props.errorOf(field) !== undefined);
  return (
    <div className="flex flex-col gap-4">
      {shown
        .filter(({ isAdvanced }) => !isAdvanced)
        .map((field) => (
          <OneField key={field.name} {...props} field={field} />
        ))}
      {advanced.length > 0 && (
        <details open={hasError || undefined}>
          <summary className="min-h-6 cursor-pointer font-medium">{t("field.advanced")}</summary>
          <div className="mt-3 flex flex-col gap-4">
            {advanced.map((field) => (
              <OneField key={field.name} {...props} field={field} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function OneField({ draft, field, isTest, errorOf, onUploading }: Props & { field: FormField }) {
  const { t } = useTranslation("playground");
  const { form, values, setValue } = draft;
  const onChange = (value: Value | undefined) => setValue(field.name, value);
  const error = errorOf(field);
  const text = textOf(field, values);
  switch (field.control) {
    case "prompt":
      return <PromptField {...{ field, error, isTest, onChange }} value={text} />;
    case "files":
      return (
        <FilesField
          {...{ field, error, onChange }}
          files={filesOf(values, field.name)}
          onUploading={(count) => onUploading(field.name, count)}
        />
      );
    case "seconds":
      return <SecondsField {...{ field, error, onChange }} value={text} />;
    case "ratio":
    case "resolution":
    case "choice":
      return <ChoiceField {...{ form, field, values, error, onChange }} />;
    case "toggle":
      return (
        <CheckField
          label={field.title}
          help={error ?? field.description}
          checked={shownValue(field, values) === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case "seed":
      return (
        <TextField
          label={field.title}
          help={field.description}
          error={error}
          inputMode="numeric"
          placeholder={t("field.random")}
          value={text}
          onChange={(event) => onChange(event.target.value.replace(/(?!^-)[^0-9]/g, ""))}
        />
      );
    default:
      return (
        <TextField
          label={field.title}
          help={field.description}
          error={error}
          dir="auto"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

function textOf(field: FormField, values: Values): string {
  const value = shownValue(field, values);
  return typeof value === "string" ? value : "";
}
