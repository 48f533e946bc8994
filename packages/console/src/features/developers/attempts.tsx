import type { Delivery } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Time } from "../../components/time.tsx";
import { formatNumber, formatTime } from "../../lib/format.ts";
import { reasonBeside } from "../../lib/reason-beside.ts";

/** Every attempt of a delivery with its response or the reason of its failure. */
export function Attempts({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation("developers");
  const { attempts, nextAttemptAt } = delivery;
  return (
    <ol className="flex flex-col gap-1 text-sm">
      {attempts.map(({ number, at, status, durationMs, reason }) => (
        <li key={number} className="flex flex-wrap gap-x-2">
          <span>{t("deliveries.attempt", { number })}</span>
          <Time ms={at} />
          {status !== null && <span>{status}</span>}
          <span>
            {durationMs === null ? t("deliveries.running") : `${formatNumber(durationMs)} ms`}
          </span>
          {reasonBeside(status, reason) !== null && <span className="text-bad">{reason}</span>}
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li className="text-muted">{t("deliveries.next", { time: formatTime(nextAttemptAt) })}</li>
      )}
    </ol>
  );
}
