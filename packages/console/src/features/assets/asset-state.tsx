import type { Asset } from "@zoetrope/sdk";
import { useTranslation } from "react-i18next";
import { Badge, Notice, type Tone } from "../../components/badge.tsx";

const tones: Record<Asset["status"], Tone> = {
  PROCESSING: "accent",
  ACTIVE: "good",
  NONE: "neutral",
  FAILED: "bad",
};

export function AssetBadge({ status }: Pick<Asset, "status">) {
  const { t } = useTranslation("assets");
  return <Badge tone={tones[status]}>{t(`status.${status}`)}</Badge>;
}

/** Explains what the state means and what to do next. A reason is in the reviewer's own words. */
export function AssetState({ status, failReason, size }: Asset) {
  const { t } = useTranslation("assets");
  const isStored = size !== null;
  return (
    <Notice tone={tones[status]}>
      <p className="font-medium">{t(`status.${status}`)}</p>
      {status === "FAILED" && (
        <p dir="auto" className="text-ink">
          {failReason}
        </p>
      )}
      <p className="text-ink">
        {status === "PROCESSING" && !isStored ? t("next.fetching") : t(`next.${status}`)}
      </p>
    </Notice>
  );
}
