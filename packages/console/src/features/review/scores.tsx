import type { ReviewItem } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";

type Values = NonNullable<ReviewItem["reviews"][number]["scores"]>;
const names = ["explicit", "sexual", "face"] as const;

/** The automatic reviewer's certainty. */
export function Scores({ scores }: { scores: Values }) {
  const { t } = useTranslation("review");
  return (
    <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-1 text-sm">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="text-muted">{t(`score.${name}`)}</dt>
          <dd className="col-span-2 grid grid-cols-subgrid items-center">
            <meter
              aria-label={t(`score.${name}`)}
              min={0}
              max={1}
              high={0.8}
              value={scores[name]}
              className="block h-2 w-full"
            />
            <span className="text-right">{Math.round(scores[name] * 100)}%</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
