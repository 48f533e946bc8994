import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { CheckField } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty, Page } from "../components/panel.tsx";
import { AccountsTable } from "../features/operations/accounts-table.tsx";
import { CreateAccount } from "../features/operations/create-account.tsx";
import { useIsOperator } from "../features/operations/for-staff.tsx";
import { LoadedPages } from "../features/operations/loaded.tsx";
import { accountsQuery } from "../features/operations/queries.ts";
import { SearchForm } from "../features/operations/search-form.tsx";
import { useFilters } from "../lib/filters.ts";

const defaults = { q: "", suspended: "" };

export function AccountsPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const [{ q, suspended }, change] = useFilters(defaults);
  const query = useInfiniteQuery(accountsQuery(q, suspended === "true"));
  const isOperator = useIsOperator();
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={t("frame:pages.accounts")}
      actions={
        isOperator && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {t("operations:accounts.create")}
          </Button>
        )
      }
    >
      <SearchForm
        key={q}
        label={t("operations:accounts.search")}
        text={q}
        onSearch={(text) => change({ q: text, suspended: "" })}
      />
      <CheckField
        label={t("operations:accounts.onlySuspended")}
        checked={suspended === "true" && q === ""}
        onChange={(event) => change({ suspended: event.target.checked ? "true" : "", q: "" })}
      />
      <LoadedPages query={query} empty={<Empty title={t("operations:accounts.none")} />}>
        {(accounts) => <AccountsTable accounts={accounts} />}
      </LoadedPages>
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
    </Page>
  );
}
