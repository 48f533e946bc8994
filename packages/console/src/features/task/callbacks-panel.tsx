import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { post } from "../../lib/client.ts";
import { formatSeconds } from "../../lib/format.ts";
import { reasonBeside } from "../../lib/reason-beside.ts";
import { useAction } from "../../lib/use-action.ts";
import type { Timeline, TimelineEntry } from "./use-task.ts";

interface Props {
  timeline: Timeline;
  isOver: boolean;
  onChanged(): Promise<void>;
}

/** Lists who was notified of the end, how often, and why a delivery failed. */
export function CallbacksPanel({ timeline, isOver, onChanged }: Props) {
  const { t } = useTranslation("gallery");
  const refresh = useAction(onChanged);
  const entries = timeline.entries.filter(({ event }) => event === "delivery");
  const deliveries = [...Map.groupBy(entries, ({ deliveryId }) => deliveryId ?? "")];
  return (
    <Panel
      title={t("callbacks.title")}
      actions={
        isOver && (
          <Button isSmall isBusy={refresh.isBusy} onClick={refresh.run}>
            {t("callbacks.refresh")}
          </Button>
        )
      }
    >
      {deliveries.length === 0 && (
        <p className="text-muted">{isOver ? t("callbacks.none") : t("callbacks.later")}</p>
      )}
      <ul className="flex flex-col gap-4">
        {deliveries.map(([deliveryId, steps]) => (
          <Delivery key={deliveryId} deliveryId={deliveryId} steps={steps} onChanged={onChanged} />
        ))}
      </ul>
    </Panel>
  );
}

interface DeliveryProps {
  deliveryId: string;
  steps: readonly TimelineEntry[];
  onChanged(): Promise<void>;
}

function Delivery({ deliveryId, steps, onChanged }: DeliveryProps) {
  const { t } = useTranslation("gallery");
  const { account, client } = useAccount();
  const { run, isBusy, error } = useAction(async () => {
    await post(client, "/api/v1/webhooks/again", { deliveryId });
    toast(t("callbacks.queued"));
    await onChanged();
  });
  const attempts = steps.filter(({ state }) => state === "working");
  const isPending = steps.at(-1)?.to === null;
  return (
    <li className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 font-mono text-sm break-all" title={deliveryId}>
          {steps[0]?.url ?? deliveryId}
        </p>
        {account.role !== "viewer" && !isPending && (
          <Button isSmall isBusy={isBusy} onClick={run}>
            {t("callbacks.again")}
          </Button>
        )}
      </div>
      <ol className="flex flex-col gap-1.5">
        {attempts.map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} />
        ))}
      </ol>
      {isPending && <p className="text-sm text-muted">{t("callbacks.pending")}</p>}
      {error !== null && <ErrorPanel error={error} />}
    </li>
  );
}

function Attempt({ attempt }: { attempt: TimelineEntry }) {
  const { t } = useTranslation("gallery");
  const { outcome, status, from, to } = attempt;
  const reason = reasonBeside(status, attempt.reason);
  const isDelivered = outcome === "delivered";
  const tone = outcome === null ? "neutral" : isDelivered ? "good" : "bad";
  const state = outcome === null ? "running" : isDelivered ? "delivered" : "failed";
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <span>{t("callbacks.attempt", { number: attempt.attempt ?? 1 })}</span>
      <Badge tone={tone}>{t(`callbacks.${state}`)}</Badge>
      {status != null && <span>{t("callbacks.status", { status })}</span>}
      {reason !== null && (
        <span dir="auto" className="min-w-0 break-words">
          {reason}
        </span>
      )}
      <span className="text-sm text-muted">
        <Time ms={from} />
        {to !== null && ` · ${formatSeconds((to - from) / 1000)}`}
      </span>
    </li>
  );
}
