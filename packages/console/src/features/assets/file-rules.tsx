import { useQuery } from "@tanstack/react-query";
import type { ListModelsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { currentLanguage } from "../../i18n/language.ts";
import { formatNumber, formatSeconds } from "../../lib/format.ts";
import { formatLimit } from "./file-type.ts";
import { type FileRule, rulesOf } from "./model-rules.ts";

/** The models' requirements for a file, from their schemas: the library accepts more than each of them. */
export function FileRules() {
  const { t } = useTranslation("assets");
  const { account, client } = useAccount();
  const language = currentLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: [account.accountId, "models", language],
    queryFn: ({ signal }) =>
      client.request<ListModelsAnswer>({
        method: "GET",
        path: "/api/v1/models",
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton className="h-40" />;
  return (
    <Table
      label={t("rulesOfModels")}
      rows={rulesOf(data.models)}
      keyOf={({ key }) => key}
      columns={[
        { title: t("rule.model"), cell: ({ models }) => models.join(", ") },
        { title: t("rule.type"), cell: ({ type }) => t(`type.${type}`) },
        { title: t("rule.formats"), cell: ({ formats }) => formats.join(", ") },
        { title: t("rule.limits"), cell: (rule) => <Limits rule={rule} /> },
      ]}
    />
  );
}

function Limits({ rule }: { rule: FileRule }) {
  const { t } = useTranslation("assets");
  const { shortSidePixelsMin, longSidePixelsMax, ratioMax, sizeBytesMax } = rule.limits;
  const { durationSecondsMax } = rule.limits;
  const limits = [
    shortSidePixelsMin !== undefined && t("rule.shortSide", { pixels: shortSidePixelsMin }),
    longSidePixelsMax !== undefined && t("rule.longSide", { pixels: longSidePixelsMax }),
    ratioMax !== undefined && t("rule.ratio", { ratio: formatNumber(ratioMax) }),
    sizeBytesMax !== undefined && t("rule.size", { size: formatLimit(sizeBytesMax) }),
    durationSecondsMax !== undefined &&
      t("rule.duration", { duration: formatSeconds(durationSecondsMax) }),
    rule.needsReview && t("rule.reviewed"),
  ].filter(Boolean);
  return limits.join(" · ");
}
