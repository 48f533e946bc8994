import type { ReadCreditsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/panel.tsx";
import { formatCredits } from "../../lib/format.ts";

/** The balance, the credits that open tasks hold of it, and the credits left to spend. */
export function Balance({ credits }: { credits: ReadCreditsAnswer | undefined }) {
  const { t } = useTranslation("money");
  const held = credits === undefined ? undefined : credits.credits - credits.availableCredits;
  return (
    <dl className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      <Figure name={t("available")} value={credits?.availableCredits} isMain />
      <Figure name={t("held")} value={held} about={t("heldAbout")} />
      <Figure name={t("settled")} value={credits?.credits} />
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: number | undefined;
  about?: string;
  isMain?: boolean;
}

function Figure({ name, value, about, isMain = false }: FigureProps) {
  return (
    <div className="rounded-lg border border-line bg-panel p-4">
      <dt className="text-muted">{name}</dt>
      <dd className={isMain ? "text-2xl font-semibold" : "text-2xl"}>
        {value === undefined ? <Skeleton className="my-1 h-7 w-24" /> : formatCredits(value)}
      </dd>
      {about !== undefined && <dd className="text-sm text-muted">{about}</dd>}
    </div>
  );
}
