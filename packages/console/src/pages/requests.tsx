import { useInfiniteQuery } from "@tanstack/react-query";
import type { ListRequestsAnswer, LoggedRequest } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Code } from "../components/copy-button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { SelectField } from "../components/field.tsx";
import { FilterField } from "../components/filter-field.tsx";
import { Empty, Page, Skeleton } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { get } from "../lib/client.ts";
import { useFilters } from "../lib/filters.ts";
import { formatNumber } from "../lib/format.ts";
import { isId } from "../lib/is-id.ts";

const defaults = { request: "", status: "" };
/** The classes of status by which the endpoint filters. */
const statuses = ["2xx", "4xx", "5xx"] as const;
const orNothing = (text: string) => (text === "" ? null : text);

export function RequestsPage() {
  const { t } = useTranslation(["frame", "developers"]);
  const { account, client } = useAccount();
  const [filters, setFilters] = useFilters(defaults);
  const given = {
    requestId: isId(filters.request) ? filters.request : null,
    status: orNothing(filters.status),
  };
  const requests = useInfiniteQuery({
    queryKey: [account.accountId, "requests", given],
    queryFn: ({ pageParam, signal }) =>
      get<ListRequestsAnswer>(
        client,
        "/api/v1/account/requests",
        { ...given, cursor: pageParam, limit: 50 },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const rows = requests.data?.pages.flatMap(({ items }) => items);
  return (
    <Page title={t("pages.requests")} about={t("developers:requests.about")}>
      <div className="grid gap-3 sm:grid-cols-2 lg:max-w-2xl">
        <FilterField
          label={t("developers:requests.requestId")}
          help={t("developers:requests.requestIdHelp")}
          accepts={isId}
          hint={t("wholeId")}
          value={filters.request}
          onChange={(request) => setFilters({ request }, { replace: true })}
        />
        <SelectField
          label={t("developers:requests.status")}
          value={filters.status}
          onChange={({ target }) => setFilters({ status: target.value })}
        >
          <option value="">{t("developers:requests.all")}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {status}
            </option>
          ))}
        </SelectField>
      </div>
      {requests.error !== null && (
        <ErrorPanel error={requests.error} onRetry={() => void requests.refetch()} />
      )}
      {requests.isPending && <Skeleton className="h-64" />}
      {rows?.length === 0 && !requests.hasNextPage && (
        <Empty title={t("developers:requests.empty")}>{t("developers:requests.emptyAbout")}</Empty>
      )}
      {rows !== undefined && rows.length > 0 && <Requests requests={rows} />}
      {requests.hasNextPage && (
        <Button isBusy={requests.isFetchingNextPage} onClick={() => void requests.fetchNextPage()}>
          {t("showMore")}
        </Button>
      )}
    </Page>
  );
}

function Requests({ requests }: { requests: readonly LoggedRequest[] }) {
  const { t } = useTranslation(["frame", "developers"]);
  return (
    <Table
      label={t("pages.requests")}
      rows={requests}
      keyOf={({ requestId }) => requestId}
      columns={[
        { title: t("developers:requests.time"), cell: ({ time }) => <Time ms={time} /> },
        {
          title: t("developers:requests.request"),
          cell: ({ method, route }) => <Code>{`${method} ${route}`}</Code>,
        },
        {
          title: t("developers:requests.status"),
          cell: ({ status }) => <Badge tone={status < 400 ? "good" : "bad"}>{status}</Badge>,
        },
        { title: t("developers:requests.code"), cell: ({ errorCode }) => errorCode },
        {
          title: t("developers:requests.by"),
          cell: ({ actor }) => <bdi>{actor.name ?? actor.id}</bdi>,
        },
        {
          title: t("developers:requests.duration"),
          cell: ({ durationMs }) => `${formatNumber(Math.round(durationMs))} ms`,
          isNumber: true,
        },
        {
          title: t("developers:requests.requestId"),
          cell: ({ requestId }) => <Code>{requestId}</Code>,
        },
      ]}
    />
  );
}
