import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Time } from "../../components/time.tsx";
import { formatNumber } from "../../lib/format.ts";
import type { ReviewState } from "./review-store.ts";

const hourMs = 3_600_000;

/** The length and age of the queue, and the decisions of this visit. */
export function QueueHead({ state }: { state: ReviewState }) {
  const { t } = useTranslation("review");
  const [startedAt] = useState(() => Date.now());
  const { queue, count } = state;
  const pace = (count * hourMs) / Math.max(60_000, Date.now() - startedAt);
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
      <Figure label={t("waiting")}>
        {queue === null ? "–" : `${formatNumber(queue.waiting)}${queue.isCountedOut ? "" : "+"}`}
      </Figure>
      <Figure label={t("oldest")}>
        {queue === null || queue.oldestSince === null ? "–" : <Time ms={queue.oldestSince} />}
      </Figure>
      <Figure label={t("doneNow")}>{formatNumber(count)}</Figure>
      <Figure label={t("pace")}>{formatNumber(Math.round(pace))}</Figure>
    </dl>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-muted">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}
