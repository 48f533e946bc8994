import type { VendorAccount } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatCredits, formatNumber, formatSeconds } from "../../lib/format.ts";
import { Facts } from "./facts.tsx";
import { useIsOperator } from "./for-staff.tsx";
import { VendorActions } from "./vendor-actions.tsx";

const outcomes = [
  "accepted",
  "delivered",
  "refused",
  "throttled",
  "unavailable",
  "unknown",
  "open",
] as const;

const tones: Partial<Record<(typeof outcomes)[number], Tone>> = {
  throttled: "warn",
  unavailable: "bad",
  unknown: "bad",
};

export function VendorCard({ vendor }: { vendor: VendorAccount }) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const [result, setResult] = useState<string | null>(null);
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          <bdi>{vendor.name}</bdi>
          <VendorState vendor={vendor} />
          {vendor.isTest && <Badge>{t("vendors.test")}</Badge>}
        </span>
      }
      actions={isOperator && <VendorActions vendor={vendor} onTested={setResult} />}
    >
      <p role="status" className="mb-2 empty:hidden">
        {result}
      </p>
      <VendorFacts vendor={vendor} />
      <h3 className="mt-3 mb-1 text-sm text-muted">{t("vendors.submits")}</h3>
      <ul className="flex flex-wrap gap-1.5">
        {outcomes.map((outcome) => {
          const count = vendor.submits[outcome] ?? 0;
          if (count === 0) return null;
          return (
            <li key={outcome}>
              <Badge tone={tones[outcome] ?? "neutral"}>
                {t(`outcome.${outcome}`)} {formatNumber(count)}
              </Badge>
            </li>
          );
        })}
        {Object.values(vendor.submits).every((count) => count === 0) && (
          <li className="text-muted">{t("vendors.noSubmits")}</li>
        )}
      </ul>
    </Panel>
  );
}

function VendorState({ vendor: { state, skippedUntil } }: { vendor: VendorAccount }) {
  const { t } = useTranslation("operations");
  if (state === "paused") return <Badge tone="warn">{t("vendors.paused")}</Badge>;
  if (skippedUntil !== null) return <Badge tone="bad">{t("vendors.skipped")}</Badge>;
  return <Badge>{t("vendors.open")}</Badge>;
}

function VendorFacts({ vendor }: { vendor: VendorAccount }) {
  const { t } = useTranslation("operations");
  const { submitMs, skippedUntil, creditsToday, creditsPerDayMax } = vendor;
  const seconds = (ms: number | undefined) => (ms === undefined ? "–" : formatSeconds(ms / 1000));
  const of = (value: string, most: number | null) =>
    most === null ? value : `${value} / ${formatNumber(most)}`;
  return (
    <Facts
      facts={[
        [t("vendors.median"), seconds(submitMs?.median)],
        [t("vendors.p95"), seconds(submitMs?.p95)],
        [t("vendors.failures"), formatNumber(vendor.failures)],
        [t("vendors.openJobs"), of(formatNumber(vendor.openJobs), vendor.openJobsMax)],
        [
          t("vendors.creditsToday"),
          creditsToday === null
            ? t("vendors.noLimit")
            : of(formatCredits(creditsToday), creditsPerDayMax),
        ],
        [t("vendors.weight"), vendor.weight ?? t("vendors.last")],
        [
          t("vendors.skippedUntil"),
          skippedUntil === null ? "–" : <Time key="until" ms={skippedUntil} />,
        ],
        [t("vendors.models"), vendor.models?.join(", ") ?? t("vendors.allModels")],
        [t("vendors.address"), vendor.baseUrl ?? t("vendors.ofSetting")],
      ]}
    />
  );
}
