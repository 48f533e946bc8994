import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { CheckField } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty, Page } from "../components/panel.tsx";
import { AskGrant } from "../features/operations/ask-grant.tsx";
import { useIsOperator } from "../features/operations/for-staff.tsx";
import { GrantLimit } from "../features/operations/grant-limit.tsx";
import { GrantsTable } from "../features/operations/grants-table.tsx";
import { LoadedPages } from "../features/operations/loaded.tsx";
import { grantsQuery } from "../features/operations/queries.ts";
import { SearchForm } from "../features/operations/search-form.tsx";
import { useFilters } from "../lib/filters.ts";

const defaults = { pending: "", of: "" };

export function GrantsPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const [{ pending, of }, change] = useFilters(defaults);
  const query = useInfiniteQuery(grantsQuery(pending === "true", of));
  const isOperator = useIsOperator();
  const [isAsking, setAsking] = useState(false);
  return (
    <Page
      title={t("frame:pages.grants")}
      about={t("operations:grants.pageAbout")}
      actions={
        isOperator && (
          <Button variant="primary" onClick={() => setAsking(true)}>
            <Icon name="plus" />
            {t("operations:grants.ask")}
          </Button>
        )
      }
    >
      <SearchForm
        key={of}
        label={t("operations:grants.accountId")}
        text={of}
        onSearch={(text) => change({ of: text })}
      />
      <CheckField
        label={t("operations:grants.onlyPending")}
        checked={pending === "true"}
        onChange={(event) => change({ pending: event.target.checked ? "true" : "" })}
      />
      <LoadedPages query={query} empty={<Empty title={t("operations:grants.none")} />}>
        {(grants) => <GrantsTable grants={grants} />}
      </LoadedPages>
      <GrantLimit />
      {isAsking && <AskGrant accountId={of} onClose={() => setAsking(false)} />}
    </Page>
  );
}
