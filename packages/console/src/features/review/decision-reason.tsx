import { useQuery } from "@tanstack/react-query";
import type { ReviewDecision } from "@zoetrope/sdk/admin";
import { currentLanguage } from "../../i18n/language.ts";
import { reasonsQuery } from "./reasons-query.ts";

/** The title of the reason, and what the reviewer added. */
export function DecisionReason({ decision: { code, text } }: { decision: ReviewDecision }) {
  const { data } = useQuery(reasonsQuery);
  const title = data?.reasons.find((reason) => reason.code === code)?.titles[currentLanguage()];
  return (
    <div className="min-w-40">
      {code !== null && <p>{title ?? code}</p>}
      {text !== null && (
        <p className="text-sm text-muted" dir="auto">
          {text}
        </p>
      )}
    </div>
  );
}
