import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { SelectField } from "../../components/field.tsx";
import { FilterField } from "../../components/filter-field.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import { isId } from "../../lib/is-id.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { type DeliveryFilters, deliveriesQuery, endpointsQuery } from "./queries.ts";
import { RangeDialog } from "./redeliver.tsx";

const outcomes = ["pending", "delivered", "failed"] as const;
type Filters = DeliveryFilters & { delivery: string };

interface Props {
  filters: Filters;
  onChange(change: Partial<Filters>): void;
}

export function DeliveriesTab({ filters, onChange }: Props) {
  const { t } = useTranslation(["frame", "developers"]);
  const through = useAccount();
  const deliveries = useInfiniteQuery(deliveriesQuery(through, filters));
  const [isRange, setRange] = useState(false);
  const rows = deliveries.data?.pages.flatMap(({ items }) => items);
  return (
    <div className="flex flex-col gap-4">
      <Controls filters={filters} onChange={onChange} />
      {through.account.role !== "viewer" && (
        <div>
          <Button onClick={() => setRange(true)}>{t("developers:deliveries.range")}</Button>
        </div>
      )}
      {deliveries.error !== null && (
        <ErrorPanel error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      )}
      {deliveries.isPending && <Skeleton className="h-64" />}
      {rows?.length === 0 && (
        <Empty title={t("developers:deliveries.empty")}>
          {t("developers:deliveries.emptyAbout")}
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <DeliveriesTable
          deliveries={rows}
          onOpen={({ deliveryId }) => onChange({ delivery: deliveryId })}
        />
      )}
      {deliveries.hasNextPage && (
        <Button
          isBusy={deliveries.isFetchingNextPage}
          onClick={() => void deliveries.fetchNextPage()}
        >
          {t("showMore")}
        </Button>
      )}
      {filters.delivery !== "" && (
        <DeliveryDialog deliveryId={filters.delivery} onClose={() => onChange({ delivery: "" })} />
      )}
      {isRange && <RangeDialog endpointId={filters.endpoint} onClose={() => setRange(false)} />}
    </div>
  );
}

function Controls({ filters, onChange }: Props) {
  const { t } = useTranslation(["frame", "developers"]);
  const { data } = useQuery(endpointsQuery(useAccount()));
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      <SelectField
        label={t("developers:deliveries.outcome")}
        value={filters.outcome}
        onChange={({ target }) => onChange({ outcome: target.value })}
      >
        <option value="">{t("developers:deliveries.all")}</option>
        {outcomes.map((outcome) => (
          <option key={outcome} value={outcome}>
            {t(`developers:deliveries.outcomes.${outcome}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("developers:deliveries.endpoint")}
        value={filters.endpoint}
        onChange={({ target }) => onChange({ endpoint: target.value })}
      >
        <option value="">{t("developers:deliveries.all")}</option>
        {data?.items.map(({ endpointId, url }) => (
          <option key={endpointId} value={endpointId}>
            {url}
          </option>
        ))}
      </SelectField>
      <FilterField
        label={t("developers:deliveries.taskId")}
        accepts={isId}
        hint={t("wholeId")}
        value={filters.task}
        onChange={(task) => onChange({ task })}
      />
    </div>
  );
}
