import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { FilterField } from "../../components/filter-field.tsx";
import { modelTitle } from "../../lib/model-title.ts";
import { defaults, type Filters, hasFilters } from "./filters.ts";

interface Props {
  filters: Filters;
  onChange(change: Partial<Filters>): void;
  /** While a task of a link is shown, what can be chosen is not read yet. */
  isWaiting: boolean;
}

const kinds = ["generation", "upscale"] as const;
const statuses = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const;

/** All of it is in the URL. */
export function FilterBar({ filters, onChange, isWaiting }: Props) {
  const { t } = useTranslation("gallery");
  const { models, keys } = useChoices(isWaiting);
  return (
    <search
      aria-label={t("filters.label")}
      className="grid grid-cols-2 items-end gap-2 sm:grid-cols-4 xl:grid-cols-8"
    >
      <Choice name="kind" filters={filters} onChange={onChange}>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kind.${kind}`)}
          </option>
        ))}
      </Choice>
      <Choice name="model" filters={filters} onChange={onChange}>
        {[...new Set([...models, filters.model])].filter(Boolean).map((model) => (
          <option key={model} value={model}>
            {modelTitle(model)}
          </option>
        ))}
      </Choice>
      <Choice name="status" filters={filters} onChange={onChange}>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {t(`status.${status}`)}
          </option>
        ))}
      </Choice>
      <Choice name="key" filters={filters} onChange={onChange}>
        {filters.key !== "" && !keys.some(({ keyId }) => keyId === filters.key) && (
          <option value={filters.key}>{filters.key}</option>
        )}
        {keys.map(({ keyId, name, hint }) => (
          <option key={keyId} value={keyId}>
            {`${name} (${hint}…)`}
          </option>
        ))}
      </Choice>
      <Day name="from" filters={filters} onChange={onChange} />
      <Day name="to" filters={filters} onChange={onChange} />
      <FilterField
        label={t("filters.prompt")}
        maxLength={200}
        dir="auto"
        value={filters.prompt}
        onChange={(prompt) => onChange({ prompt })}
      />
      <Button
        disabled={!hasFilters(filters)}
        onClick={() => onChange({ ...defaults, open: filters.open })}
      >
        {t("filters.reset")}
      </Button>
    </search>
  );
}

function useChoices(isWaiting: boolean) {
  const { account, client } = useAccount();
  const enabled = !isWaiting;
  const models = useQuery({
    queryKey: [account.accountId, "models"],
    enabled,
    staleTime: 600_000,
    queryFn: ({ signal }) => client.models({ signal }),
  });
  const keys = useQuery({
    queryKey: [account.accountId, "key names"],
    enabled,
    staleTime: 600_000,
    queryFn: ({ signal }) => client.keys({ limit: 100 }, { signal }),
  });
  return {
    models: [...(models.data?.models.map(({ model }) => model) ?? []), "upscale"],
    keys: keys.data?.items ?? [],
  };
}

interface ControlProps extends Pick<Props, "filters" | "onChange"> {
  name: Exclude<keyof Filters, "open">;
  children?: React.ReactNode;
}

function Choice({ name, filters, onChange, children }: ControlProps) {
  const { t } = useTranslation("gallery");
  return (
    <SelectField
      label={t(`filters.${name}`)}
      value={filters[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    >
      <option value="">{t("filters.all")}</option>
      {children}
    </SelectField>
  );
}

function Day({ name, filters, onChange }: ControlProps) {
  const { t } = useTranslation("gallery");
  return (
    <TextField
      type="date"
      label={t(`filters.${name}`)}
      value={filters[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
}
