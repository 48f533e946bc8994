import type { PublishPricesAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { AreaField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { pathOf, readBooksAgain } from "./queries.ts";

const hourMs = 3_600_000;

/** `datetime-local` of the person's own zone, to the minute. */
function localTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** When the draft begins and why: a published version cannot be changed. */
export function PublishDialog({ book, onClose }: { book: string; onClose(): void }) {
  const { t } = useTranslation(["prices", "frame"]);
  const [begins, setBegins] = useState(() => localTime(Date.now() + hourMs));
  const [reason, setReason] = useState("");
  const isReady = begins !== "" && reason.trim() !== "";
  const { run, isBusy, error } = useAction(async () => {
    const body = { validFrom: new Date(begins).getTime(), reason: reason.trim() };
    const answer = await post<PublishPricesAnswer>(client, `${pathOf(book)}/publish`, body);
    await readBooksAgain();
    toast(
      answer.status === "pending"
        ? t("prices:asked")
        : t("prices:published", { version: answer.version ?? "" }),
    );
    onClose();
  });
  return (
    <Dialog title={t("prices:publishTitle", { book })} isOpen onClose={onClose}>
      <Form isReady={isReady} onSubmit={run}>
        <p>{t("prices:publishEffect")}</p>
        <TextField
          label={t("prices:begins")}
          help={t("prices:beginsHelp")}
          type="datetime-local"
          required
          value={begins}
          onChange={(event) => setBegins(event.target.value)}
        />
        <AreaField
          label={t("prices:reason")}
          help={t("prices:reasonHelp")}
          required
          rows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {error !== null && <ErrorPanel error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("frame:cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isReady}>
            {t("prices:publish")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
