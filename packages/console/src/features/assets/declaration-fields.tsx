import { useTranslation } from "react-i18next";
import { AreaField, CheckField, TextField } from "../../components/field.tsx";
import { formatLimit, formBytesMax, formTypes } from "./file-type.ts";
import type { Declared } from "./uploads.ts";

interface Props {
  declared: Declared | null;
  onChange(declared: Declared | null): void;
}

const empty: Declared = { people: "", purpose: "", form: null };

/** The fields that declare the real people that a file shows. They cannot be added later. */
export function DeclarationFields({ declared, onChange }: Props) {
  const { t } = useTranslation("assets");
  const isTooLarge = (declared?.form?.size ?? 0) > formBytesMax;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{t("realPeople")}</legend>
      <CheckField
        label={t("showsPeople")}
        help={t("showsPeopleHelp")}
        checked={declared !== null}
        onChange={(event) => onChange(event.target.checked ? empty : null)}
      />
      {declared !== null && (
        <>
          <TextField
            label={t("people")}
            help={t("peopleHelp")}
            maxLength={500}
            required
            value={declared.people}
            onChange={(event) => onChange({ ...declared, people: event.target.value })}
          />
          <AreaField
            label={t("purpose")}
            help={t("purposeHelp")}
            rows={2}
            maxLength={1000}
            required
            value={declared.purpose}
            onChange={(event) => onChange({ ...declared, purpose: event.target.value })}
          />
          <TextField
            label={t("form")}
            help={t("formHelp", { size: formatLimit(formBytesMax) })}
            error={isTooLarge ? t("fault.formSize") : undefined}
            type="file"
            accept={formTypes}
            className="py-1.5"
            onChange={(event) => onChange({ ...declared, form: event.target.files?.[0] ?? null })}
          />
        </>
      )}
    </fieldset>
  );
}

export function isComplete(declared: Declared | null): boolean {
  if (declared === null) return true;
  const { people, purpose, form } = declared;
  return people.trim() !== "" && purpose.trim() !== "" && (form?.size ?? 0) <= formBytesMax;
}
