import type { ReadAlertsAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatCredits } from "../../lib/format.ts";
import { useAction } from "../../lib/use-action.ts";

interface Props extends ReadAlertsAnswer {
  credits: number | undefined;
  onSaved(answer: ReadAlertsAnswer): void;
}

export function LowCreditsForm({ creditsLow, credits, onSaved }: Props) {
  const { t } = useTranslation(["frame", "money"]);
  const { account, client } = useAccount();
  const [text, setText] = useState(creditsLow === null ? "" : String(creditsLow));
  const isWhole = /^[1-9]\d{0,11}$/.test(text);
  const { run, isBusy, error } = useAction(async (limit: number | null) => {
    const call = { method: "PATCH" as const, path: "/api/v1/webhooks/alerts" };
    onSaved(await client.request<ReadAlertsAnswer>({ ...call, body: { creditsLow: limit } }));
    if (limit === null) setText("");
    toast(t("saved"));
  });
  const isLow = creditsLow !== null && credits !== undefined && credits < creditsLow;
  return (
    <Form isReady={isWhole} onSubmit={() => run(Number(text))}>
      <p>{t("money:lowAbout")}</p>
      <p className="font-medium">
        {creditsLow === null
          ? t("money:lowOff")
          : t("money:lowSet", { credits: formatCredits(creditsLow) })}
      </p>
      {isLow && <Notice tone="warn">{t("money:lowNow")}</Notice>}
      {account.role !== "viewer" && (
        <>
          <TextField
            label={t("money:lowLimit")}
            inputMode="numeric"
            value={text}
            error={text !== "" && !isWhole ? t("money:lowWhole") : undefined}
            onChange={({ target }) => setText(target.value.trim())}
          />
          {error !== null && <ErrorPanel error={error} />}
          <div className="flex gap-2">
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isWhole}>
              {t("save")}
            </Button>
            {creditsLow !== null && (
              <Button isBusy={isBusy} onClick={() => run(null)}>
                {t("money:remove")}
              </Button>
            )}
          </div>
        </>
      )}
    </Form>
  );
}
