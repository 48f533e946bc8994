import type { WebhookEndpoint } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { formatTime } from "../../lib/format.ts";

/** A sentence about the endpoint's health and since when it has been so. */
export function EndpointHealth({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation("developers");
  const { health, pausedAt, pauseReason } = endpoint;
  if (pausedAt !== null)
    return (
      <div>
        <Badge tone="warn">
          {pauseReason === "failing" ? t("endpoints.pausedFailing") : t("endpoints.paused")}
        </Badge>
      </div>
    );
  if (health === null)
    return (
      <div>
        <Badge>{t("endpoints.unused")}</Badge>
      </div>
    );
  const time = formatTime(health.since);
  if (health.reason === null)
    return (
      <p className="text-good">
        {t("endpoints.healthy", { status: health.status ?? "2xx", time })}
      </p>
    );
  return (
    <p className="text-bad">
      {t("endpoints.failing", { time, count: health.failures, reason: health.reason })}
    </p>
  );
}
