import type { Process, Queues, ReadSystemAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { classNames } from "../../components/class-names.ts";
import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatNumber, formatSeconds } from "../../lib/format.ts";
import { Facts } from "./facts.tsx";

export function QueuesPanel({ queues }: { queues: Queues }) {
  const { t } = useTranslation("operations");
  const open = queues.openTasks.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...queues.openTasks.map(({ count }) => count));
  return (
    <Panel title={t("status.queues")}>
      <Facts
        facts={[
          [t("status.openTasks"), formatNumber(open)],
          [t("status.oldestTask"), open === 0 ? "–" : formatSeconds(queues.oldestTaskSeconds)],
          [t("status.overdue"), <Count key="overdue" value={queues.overdueTasks} />],
          [t("status.openDeliveries"), formatNumber(queues.openDeliveries)],
          [
            t("status.failingAccounts"),
            <Count key="failing" value={queues.failingDeliveryAccounts} />,
          ],
          [t("status.failingEndpoints"), <Count key="endpoints" value={queues.failingEndpoints} />],
          [t("status.givenUp"), <Count key="givenUp" value={queues.deliveriesGivenUp} />],
          [t("status.parked"), <Count key="parked" value={queues.parkedRows} />],
        ]}
      />
      <h3 className="mt-4 mb-2 text-sm text-muted">{t("status.byAge")}</h3>
      <ul className="flex flex-col gap-1">
        {queues.openTasks.map(({ age, count }) => (
          <li key={age} className="grid grid-cols-[8rem_1fr_4rem] items-center gap-2">
            <span>{t(`age.${age}`)}</span>
            <span className="h-2 rounded bg-sunken" aria-hidden="true">
              <span
                className="block h-2 rounded bg-accent"
                style={{ width: `${(100 * count) / most}%` }}
              />
            </span>
            <span className="text-right">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Red as soon as there is one. */
function Count({ value }: { value: number }) {
  return (
    <span className={classNames(value > 0 && "font-semibold text-bad")}>{formatNumber(value)}</span>
  );
}

export function PartsPanel({ system }: { system: ReadSystemAnswer }) {
  const { t } = useTranslation("operations");
  const { parts, version, newestMigration } = system;
  const reach = (isReached: boolean) => (
    <Badge tone={isReached ? "neutral" : "bad"}>
      {t(isReached ? "status.reached" : "status.away")}
    </Badge>
  );
  return (
    <Panel title={t("status.parts")}>
      <Facts
        facts={[
          [t("status.database"), reach(parts.database)],
          [t("status.engine"), reach(parts.engine)],
          [t("status.storage"), reach(parts.storage)],
          [t("status.version"), version],
          [t("status.migration"), newestMigration?.name ?? "–"],
          [
            t("status.migrated"),
            newestMigration === null ? "–" : <Time key="at" ms={newestMigration.appliedAt} />,
          ],
        ]}
      />
    </Panel>
  );
}

/** Those that run first: the others stopped within a day. */
export function ProcessesTable({ processes }: { processes: readonly Process[] }) {
  const { t } = useTranslation("operations");
  const sorted = processes.toSorted(
    (one, other) => Number(other.isRunning) - Number(one.isRunning),
  );
  return (
    <Table
      label={t("status.processes")}
      rows={sorted}
      keyOf={({ processId }) => processId}
      columns={[
        { title: t("status.role"), cell: ({ role }) => role },
        { title: t("status.host"), cell: ({ host }) => <span className="break-all">{host}</span> },
        { title: t("status.version"), cell: ({ version }) => version },
        {
          title: t("state"),
          cell: ({ isRunning }) => (
            <Badge tone="neutral">{t(isRunning ? "status.running" : "status.stopped")}</Badge>
          ),
        },
        { title: t("status.started"), cell: ({ startedAt }) => <Time ms={startedAt} /> },
        { title: t("status.seen"), cell: ({ seenAt }) => <Time ms={seenAt} /> },
        { title: t("status.loops"), cell: (process) => <Loops process={process} /> },
      ]}
    />
  );
}

function Loops({ process: { loops, isRunning } }: { process: Process }) {
  const { t } = useTranslation("operations");
  if (loops.length === 0) return "–";
  const alive = loops.filter(({ isAlive }) => isAlive).length;
  const isWell = !isRunning || alive === loops.length;
  return (
    <details>
      <summary
        className={classNames("py-0.5 whitespace-nowrap", !isWell && "font-semibold text-bad")}
      >
        {t("status.alive", { alive, all: loops.length })}
      </summary>
      <ul className="mt-1 flex flex-col gap-0.5 text-sm">
        {loops.map(({ name, isAlive, lastSuccessAt }) => (
          <li key={name} className={classNames(!isAlive && isRunning && "text-bad")}>
            {name} · {lastSuccessAt === null ? t("status.never") : <Time ms={lastSuccessAt} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
