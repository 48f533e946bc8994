import { Link } from "@tanstack/react-router";
import type { Delivery } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";

const tones: Record<Delivery["outcome"], Tone> = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
};

interface Props {
  deliveries: readonly Delivery[];
  onOpen(delivery: Delivery): void;
}

export function DeliveriesTable({ deliveries, onOpen }: Props) {
  const { t } = useTranslation("developers");
  return (
    <Table
      label={t("tabs.deliveries")}
      rows={deliveries}
      keyOf={({ deliveryId }) => deliveryId}
      columns={[
        { title: t("events.time"), cell: ({ createdAt }) => <Time ms={createdAt} /> },
        {
          title: t("events.type"),
          cell: ({ type }) => <span className="font-mono text-sm">{type}</span>,
        },
        {
          title: t("deliveries.outcome"),
          cell: ({ outcome }) => (
            <Badge tone={tones[outcome]}>{t(`deliveries.outcomes.${outcome}`)}</Badge>
          ),
        },
        {
          title: t("deliveries.to"),
          cell: ({ url, endpointId }) => (
            <div className="max-w-md min-w-40">
              <span className="font-mono text-sm break-all">{url}</span>
              {endpointId === null && (
                <span className="block text-sm text-muted">{t("deliveries.callback")}</span>
              )}
            </div>
          ),
        },
        {
          title: t("events.task"),
          cell: ({ taskId }) =>
            taskId !== null && (
              <Link
                to={`/tasks/${taskId}` as never}
                className="font-mono text-sm text-accent-strong underline"
              >
                …{taskId.slice(-12)}
              </Link>
            ),
        },
        {
          title: t("deliveries.attempts"),
          cell: ({ attempts }) => {
            const last = attempts.at(-1);
            const answer = last?.status ?? last?.reason ?? "";
            return `${attempts.length}${answer === "" ? "" : ` · ${answer}`}`;
          },
        },
        {
          title: <span className="sr-only">{t("deliveries.details")}</span>,
          cell: (delivery) => (
            <Button isSmall onClick={() => onOpen(delivery)}>
              {t("deliveries.details")}
            </Button>
          ),
        },
      ]}
    />
  );
}
