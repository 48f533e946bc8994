import type { RecordLabelAgreementBody } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { AreaField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { dayOf } from "../../lib/day-of.ts";
import { useAction } from "../../lib/use-action.ts";
import { admin, agreementsPath, agreementsQuery } from "./queries.ts";

export function RecordAgreement({ accountId, onClose }: { accountId: string; onClose(): void }) {
  const { t } = useTranslation("operations");
  const [agreedBy, setAgreedBy] = useState("");
  const [agreedOn, setAgreedOn] = useState(() => dayOf(Date.now()));
  const [text, setText] = useState("");
  const isReady = agreedBy.trim() !== "" && agreedOn !== "" && text.trim() !== "";
  const { run, isBusy, error } = useAction(async () => {
    const body: RecordLabelAgreementBody = {
      agreedBy: agreedBy.trim(),
      agreedAt: new Date(`${agreedOn}T00:00`).getTime(),
      text: text.trim(),
    };
    await post(client, admin + agreementsPath(accountId), body);
    await queryClient.invalidateQueries({ queryKey: agreementsQuery(accountId).queryKey });
    toast(t("agreements.recordDone"));
    onClose();
  });
  return (
    <Dialog title={t("agreements.record")} isOpen onClose={onClose}>
      <Form isReady={isReady} onSubmit={run}>
        <TextField
          label={t("agreements.agreedBy")}
          help={t("agreements.agreedByHelp")}
          required
          maxLength={200}
          value={agreedBy}
          onChange={(event) => setAgreedBy(event.target.value)}
        />
        <TextField
          label={t("agreements.agreedAt")}
          type="date"
          required
          value={agreedOn}
          onChange={(event) => setAgreedOn(event.target.value)}
        />
        <AreaField
          label={t("agreements.text")}
          help={t("agreements.textHelp")}
          required
          rows={8}
          maxLength={50_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p>{t("agreements.recordAbout")}</p>
        {error !== null && <ErrorPanel error={error} />}
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isReady}>
          {t("agreements.record")}
        </Button>
      </Form>
    </Dialog>
  );
}
