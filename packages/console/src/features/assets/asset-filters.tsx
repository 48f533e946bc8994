import { useTranslation } from "react-i18next";
import { SelectField } from "../../components/field.tsx";
import { FilterField } from "../../components/filter-field.tsx";
import { assetTypes } from "./file-type.ts";
import { type AssetFilters, assetStatuses } from "./queries.ts";

interface Props {
  filters: AssetFilters;
  onChange(change: Partial<AssetFilters>): void;
}

export function AssetFilterBar({ filters, onChange }: Props) {
  const { t } = useTranslation("assets");
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-40 flex-1 sm:max-w-xs">
        <FilterField
          label={t("nameLabel")}
          maxLength={64}
          value={filters.name}
          onChange={(name) => onChange({ name })}
        />
      </div>
      <SelectField
        label={t("typeLabel")}
        value={filters.type}
        onChange={(event) => onChange({ type: event.target.value })}
      >
        <option value="">{t("allTypes")}</option>
        {assetTypes.map((type) => (
          <option key={type} value={type}>
            {t(`type.${type}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("statusLabel")}
        value={filters.status}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">{t("allStatuses")}</option>
        {assetStatuses.map((status) => (
          <option key={status} value={status}>
            {t(`status.${status}`)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
