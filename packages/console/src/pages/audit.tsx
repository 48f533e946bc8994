import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Button } from "../components/button.tsx";
import { Code } from "../components/copy-button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { FilterField } from "../components/filter-field.tsx";
import { Empty, Page, Skeleton } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { auditQuery } from "../features/team/queries.ts";
import { useFilters } from "../lib/filters.ts";

const defaults = { action: "" };
const beginning = /^[a-z_]+(\.[a-z_]*)?$/;

export function AuditPage() {
  const { t } = useTranslation(["frame", "team"]);
  const [{ action }, setFilters] = useFilters(defaults);
  const audit = useInfiniteQuery(auditQuery(useAccount(), beginning.test(action) ? action : ""));
  const entries = audit.data?.pages.flatMap(({ items }) => items);
  return (
    <Page title={t("pages.audit")} about={t("team:audit.about")}>
      <div className="max-w-xs">
        <FilterField
          label={t("team:audit.action")}
          help={t("team:audit.actionHelp")}
          accepts={(text) => beginning.test(text)}
          hint={t("team:audit.actionRule")}
          maxLength={100}
          value={action}
          onChange={(next) => setFilters({ action: next }, { replace: true })}
        />
      </div>
      {audit.error !== null && (
        <ErrorPanel error={audit.error} onRetry={() => void audit.refetch()} />
      )}
      {audit.isPending && <Skeleton className="h-64" />}
      {entries?.length === 0 && !audit.hasNextPage && <Empty title={t("team:audit.empty")} />}
      {entries !== undefined && entries.length > 0 && <Entries entries={entries} />}
      {audit.hasNextPage && (
        <Button isBusy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          {t("showMore")}
        </Button>
      )}
    </Page>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation(["frame", "team"]);
  return (
    <Table
      label={t("pages.audit")}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { title: t("team:audit.time"), cell: ({ time }) => <Time ms={time} /> },
        { title: t("team:audit.action"), cell: ({ action }) => <Code>{action}</Code> },
        {
          title: t("team:audit.actor"),
          cell: ({ actor }) => (
            <>
              {t(`team:audit.actors.${actor.kind}`)} <bdi>{actor.name ?? actor.id}</bdi>
            </>
          ),
        },
        {
          title: t("team:audit.object"),
          cell: ({ action, object, objectName }) => {
            const isAsset = /^(asset|declaration)\./.test(action);
            const name = objectName ?? (isAsset ? t("team:audit.asset", { id: object }) : null);
            return name === null ? (
              <Code>{object}</Code>
            ) : (
              <bdi className="block max-w-xs min-w-24 break-words" title={object}>
                {name}
              </bdi>
            );
          },
        },
        { title: t("team:audit.change"), cell: (entry) => <Change entry={entry} /> },
      ]}
    />
  );
}

function Change({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("team");
  const { before, after, address } = entry;
  if (before === null && after === null && address === null) return null;
  return (
    <details className="max-w-md min-w-32">
      <summary className="cursor-pointer">{t("audit.details")}</summary>
      <dl className="text-sm">
        {before !== null && <Fields name={t("audit.before")} fields={before} />}
        {after !== null && <Fields name={t("audit.after")} fields={after} />}
        {address !== null && <Fields name={t("audit.address")} fields={{ ip: address }} />}
      </dl>
    </details>
  );
}

function Fields({ name, fields }: { name: string; fields: Record<string, unknown> }) {
  return (
    <>
      <dt className="mt-1 text-muted">{name}</dt>
      {Object.entries(fields).map(([field, value]) => (
        <dd key={field} className="break-words">
          {field}: <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
        </dd>
      ))}
    </>
  );
}
