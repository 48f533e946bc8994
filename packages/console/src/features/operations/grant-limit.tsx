import { useQuery } from "@tanstack/react-query";
import type { ReadGrantLimitAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { useIsOperator } from "./for-staff.tsx";
import { admin } from "./queries.ts";

const path = `${admin}/grant-limit`;

/** The credits that one person may grant alone in a day, and a higher limit that waits. */
export function GrantLimit() {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const limit = useQuery({
    queryKey: ["grant-limit"],
    queryFn: ({ signal }) => get<ReadGrantLimitAnswer>(client, path, {}, signal),
  });
  const [typed, setTyped] = useState("");
  const reread = () => limit.refetch();
  const change = useAction(async () => {
    const body = { credits: typed === "" ? null : Number(typed) };
    await client.request({ method: "PUT", path, body });
    setTyped("");
    await reread();
  });
  const decide = useAction(async (verb: "approve" | "reject") => {
    await post(client, `${path}/${verb}`);
    toast(t("grantLimit.decided"));
    await reread();
  });
  const error = limit.error ?? change.error ?? decide.error;
  const textOf = (credits: number | null) => credits ?? t("grantLimit.none");
  return (
    <Panel title={t("grantLimit.title")}>
      <div className="flex flex-col gap-3">
        {limit.data !== undefined && (
          <p>{t("grantLimit.is", { credits: textOf(limit.data.credits) })}</p>
        )}
        {limit.data?.pending != null && (
          <p className="flex flex-wrap items-center gap-3">
            {t("grantLimit.waits", { credits: textOf(limit.data.pending.credits) })}
            {isOperator && (
              <>
                <Button isSmall isBusy={decide.isBusy} onClick={() => decide.run("approve")}>
                  {t("staff.approve")}
                </Button>
                <Button isSmall isBusy={decide.isBusy} onClick={() => decide.run("reject")}>
                  {t("grantLimit.reject")}
                </Button>
              </>
            )}
          </p>
        )}
        {error !== null && <ErrorPanel error={error} />}
        {isOperator && (
          <Form className="flex flex-wrap items-end gap-3" onSubmit={change.run}>
            <TextField
              label={t("grantLimit.next")}
              help={t("grantLimit.help")}
              inputMode="numeric"
              pattern="[1-9][0-9]{0,8}"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <Button type="submit" isBusy={change.isBusy}>
              {t("grantLimit.change")}
            </Button>
          </Form>
        )}
      </div>
    </Panel>
  );
}
