import type { Grant } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { formatCredits } from "../../lib/format.ts";
import { AccountLink } from "./facts.tsx";
import { admin } from "./queries.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

interface Props {
  grant: Grant;
  verb: "approve" | "reject";
  isOwn: boolean;
  onClose(): void;
}

/** The sentence and the button both have the number. */
export function DecideGrant({ grant, verb, isOwn, onClose }: Props) {
  const { t } = useTranslation("operations");
  const number = formatCredits(Math.abs(grant.credits));
  const direction = grant.credits < 0 ? "take" : "give";
  return (
    <ReasonDialog
      title={t(isOwn ? "grants.withdrawTitle" : `grants.${verb}Title`)}
      effect={
        <>
          <p>
            {verb === "approve"
              ? t(`grants.${direction}Effect`, { number })
              : t("grants.rejectEffect")}{" "}
            <AccountLink accountId={grant.accountId} />
          </p>
          <p dir="auto" className="mt-2 break-words text-muted">
            {grant.reason}
          </p>
        </>
      }
      action={
        verb === "approve"
          ? t(`grants.${direction}Action`, { number })
          : t(isOwn ? "grants.withdraw" : "grants.reject")
      }
      isOptional
      onClose={onClose}
      onConfirm={async (reason) => {
        const path = `${admin}/grants/${encodeURIComponent(grant.grantId)}/${verb}`;
        await post(client, path, reason === "" ? {} : { reason });
        await queryClient.invalidateQueries({ queryKey: ["admin", "grants"] });
        toast(t(`grants.${verb}Done`));
      }}
    />
  );
}
