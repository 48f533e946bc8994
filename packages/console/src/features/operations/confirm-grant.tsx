import { useQuery } from "@tanstack/react-query";
import type { GrantCreditsAnswer, GrantCreditsBody } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, queryClient } from "../../lib/client.ts";
import { formatCredits } from "../../lib/format.ts";
import { useAction } from "../../lib/use-action.ts";
import { Facts } from "./facts.tsx";
import { signed } from "./grants-table.tsx";
import { Loaded } from "./loaded.tsx";
import { accountQuery, admin } from "./queries.ts";

export type GrantDraft = GrantCreditsBody;

interface Props {
  draft: GrantDraft;
  onBack(): void;
  onClose(): void;
}

/** Shows whose balance moves from where to where, before it does. */
export function ConfirmGrant({ draft, onBack, onClose }: Props) {
  const { t } = useTranslation("operations");
  const account = useQuery(accountQuery(draft.accountId));
  const [idempotencyKey] = useState(() => crypto.randomUUID()); // a second click grants nothing
  const { run, isBusy, error } = useAction(async () => {
    const { status } = await client.request<GrantCreditsAnswer>({
      method: "POST",
      path: `${admin}/grants`,
      body: draft,
      idempotencyKey,
    });
    await queryClient.invalidateQueries({ queryKey: ["admin", "grants"] });
    toast(t(status === "pending" ? "grants.waits" : "grants.done"));
    onClose();
  });
  const number = formatCredits(Math.abs(draft.credits));
  const direction = draft.credits < 0 ? "take" : "give";
  return (
    <>
      <Loaded query={account} className="h-32">
        {({ name, credits }) => (
          <>
            <p className="text-lg">
              {t(`grants.${direction}Effect`, { number })}{" "}
              <bdi className="font-semibold">{name}</bdi>
            </p>
            <Facts
              facts={[
                [t("grants.before"), formatCredits(credits)],
                [t("grants.change"), signed(draft.credits)],
                [t("grants.after"), formatCredits(credits + draft.credits)],
              ]}
            />
            <p dir="auto" className="break-words text-muted">
              {draft.reason}
            </p>
            <p className="text-sm text-muted">{t("grants.second")}</p>
          </>
        )}
      </Loaded>
      {error !== null && <ErrorPanel error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>{t("grants.back")}</Button>
        <Button
          variant="primary"
          isBusy={isBusy}
          disabled={account.data === undefined}
          onClick={() => run()}
        >
          {t(`grants.${direction}Action`, { number })}
        </Button>
      </div>
    </>
  );
}
