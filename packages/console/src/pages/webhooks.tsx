import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Page } from "../components/panel.tsx";
import { Tabs } from "../components/tabs.tsx";
import { DeliveriesTab } from "../features/developers/deliveries-tab.tsx";
import { EndpointsTab } from "../features/developers/endpoints-tab.tsx";
import { EventsTab } from "../features/developers/events-tab.tsx";
import { useFilters } from "../lib/filters.ts";

const defaults = { tab: "endpoints", outcome: "", endpoint: "", task: "", delivery: "" };
const tabs = ["endpoints", "deliveries", "events"] as const;

export function WebhooksPage() {
  const { t } = useTranslation(["frame", "developers"]);
  const { accountId } = useAccount().account;
  const [filters, setFilters] = useFilters(defaults);
  const tab = tabs.find((one) => one === filters.tab) ?? "endpoints";
  return (
    <Page title={t("pages.webhooks")}>
      <Tabs
        label={t("developers:tabs.label")}
        value={tab}
        onChange={(next) => setFilters({ ...defaults, tab: next })}
        tabs={tabs.map((value) => ({ value, label: t(`developers:tabs.${value}`) }))}
      >
        {tab === "endpoints" && <EndpointsTab />}
        {tab === "deliveries" && <DeliveriesTab filters={filters} onChange={setFilters} />}
        {tab === "events" && <EventsTab key={accountId} />}
      </Tabs>
    </Page>
  );
}
