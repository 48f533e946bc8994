import type { ReviewItem } from "@zoetrope/sdk/admin";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge, Notice, type Tone } from "../../components/badge.tsx";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatNumber, formatSeconds } from "../../lib/format.ts";
import { Scores } from "./scores.tsx";

const verdictTones: Record<ReviewItem["reviews"][number]["verdict"], Tone> = {
  passed: "good",
  refused: "bad",
  revoked: "bad",
  unsure: "warn",
  undone: "neutral",
};

/** Everything that a reviewer should know besides the file itself. */
export function Details({ item }: { item: ReviewItem }) {
  const { t } = useTranslation("review");
  const { account, reviews } = item;
  return (
    <div className="flex flex-col gap-4">
      <Facts item={item} />
      <Declaration declaration={item.declaration} />
      <Part title={t("earlierVerdicts")}>
        {reviews.length === 0 && <p className="text-muted">{t("noVerdicts")}</p>}
        <ul className="flex flex-col gap-2">
          {reviews.map((review) => (
            <li key={`${review.at} ${review.verdict}`} className="flex flex-col gap-1">
              <div className="flex flex-wrap items-center gap-2">
                <Badge tone={verdictTones[review.verdict]}>{t(`verdict.${review.verdict}`)}</Badge>
                <span className="text-sm text-muted">
                  {review.reviewer} · <Time ms={review.at} />
                </span>
              </div>
              {review.reason !== "" && <p dir="auto">{review.reason}</p>}
              {review.scores !== null && <Scores scores={review.scores} />}
            </li>
          ))}
        </ul>
      </Part>
      {account.recentRefusals.length > 0 && (
        <Part title={t("accountHistory")}>
          <ul className="text-sm text-muted">
            {account.recentRefusals.map(({ assetId, reason, at }) => (
              <li key={assetId} dir="auto">
                <Time ms={at} /> · {reason}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-1 border-t border-line pt-3">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Facts({ item }: { item: ReviewItem }) {
  const { t } = useTranslation("review");
  const { width, height, size, duration, account } = item;
  const facts = [
    t(`type.${item.type}`),
    width !== null && height !== null && `${width} × ${height}`,
    duration !== null && formatSeconds(duration),
    size !== null && formatBytes(size),
    item.contentType,
  ].filter(Boolean);
  return (
    <div>
      <p className="line-clamp-3 font-medium" dir="auto" title={item.name ?? undefined}>
        {item.name ?? t("unnamed")}
      </p>
      <p className="text-sm text-muted">
        #{item.assetId} · {facts.join(" · ")}
      </p>
      <p className="text-sm text-muted">
        {t("waitingSince")} <Time ms={item.waitingSince} />
      </p>
      <p className="text-sm">
        <bdi className="font-medium">{account.name}</bdi>
        {" · "}
        {t("passedRefused", {
          passed: formatNumber(account.passed),
          refused: formatNumber(account.refused),
        })}
      </p>
    </div>
  );
}

function Declaration({ declaration }: Pick<ReviewItem, "declaration">) {
  const { t } = useTranslation("review");
  if (declaration === null)
    return (
      <Part title={t("declaration")}>
        <p className="text-muted">{t("noDeclaration")}</p>
      </Part>
    );
  const { people, purpose, declaredAt, formUrl } = declaration;
  return (
    <Part title={t("declaration")}>
      <p dir="auto">
        <span className="text-muted">{t("declaredPeople")} </span>
        {people}
      </p>
      <p dir="auto">
        <span className="text-muted">{t("declaredPurpose")} </span>
        {purpose}
      </p>
      <p className="text-sm text-muted">
        <Time ms={declaredAt} />
      </p>
      {formUrl === null ? (
        <p className="text-sm text-warn">{t("noForm")}</p>
      ) : (
        <>
          <a
            href={formUrl}
            download
            className="inline-flex items-center gap-1 text-accent-strong underline"
          >
            <Icon name="download" />
            {t("form")}
          </a>
          <Notice tone="warn">{t("formCare")}</Notice>
        </>
      )}
    </Part>
  );
}
