import { Link } from "@tanstack/react-router";
import type { ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../components/button.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { useIsOperator } from "./for-staff.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";
import { accountQuery, admin } from "./queries.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

/** A closed account and a test account change with nobody's click: the one is over, the other follows. */
export function AccountActions({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation(["operations", "frame"]);
  const isOperator = useIsOperator();
  const [open, setOpen] = useState<"limits" | "suspend" | null>(null);
  const { accountId, state, testOf, name } = account;
  const verb = state === "suspended" ? "resume" : "suspend";
  const isChangeable = isOperator && state !== "closed";
  const close = () => setOpen(null);
  return (
    <>
      <Link
        to="/operations/tasks"
        search={{ by: "accountId", q: accountId } as never}
        className={buttonClass()}
      >
        {t("frame:pages.tasks")}
      </Link>
      <Link to="/operations/grants" search={{ of: accountId } as never} className={buttonClass()}>
        {t("frame:pages.grants")}
      </Link>
      {isChangeable && (
        <>
          <Button onClick={() => setOpen("limits")}>{t("operations:account.change")}</Button>
          {testOf === null && (
            <Button
              variant={verb === "suspend" ? "danger" : "primary"}
              onClick={() => setOpen("suspend")}
            >
              {t(`operations:account.${verb}`)}
            </Button>
          )}
        </>
      )}
      {open === "limits" && <LimitsDialog account={account} onClose={close} />}
      {open === "suspend" && (
        <ReasonDialog
          title={t(`operations:account.${verb}Title`, { name })}
          effect={t(`operations:account.${verb}Effect`)}
          action={t(`operations:account.${verb}`)}
          variant={verb === "suspend" ? "danger" : "primary"}
          onClose={close}
          onConfirm={async (reason) => {
            const path = `${admin}/accounts/${encodeURIComponent(accountId)}/${verb}`;
            await post(client, path, { reason });
            await queryClient.invalidateQueries({ queryKey: accountQuery(accountId).queryKey });
            toast(t(`operations:account.${verb}Done`, { name }));
          }}
        />
      )}
    </>
  );
}
