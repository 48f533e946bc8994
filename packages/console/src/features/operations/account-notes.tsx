import type { ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { AreaField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { useIsOperator } from "./for-staff.tsx";
import { accountQuery, admin } from "./queries.ts";

export function AccountNotes({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const { accountId, notes } = account;
  return (
    <Panel title={t("account.notes")}>
      <div className="flex flex-col gap-3">
        {isOperator && <NoteForm key={notes[0]?.noteId ?? "first"} accountId={accountId} />}
        {notes.length === 0 && <p className="text-muted">{t("account.noNotes")}</p>}
        <ul className="flex flex-col gap-3">
          {notes.map(({ noteId, note, by, time }) => (
            <li key={noteId} className="min-w-0">
              <p dir="auto" className="break-words whitespace-pre-wrap">
                {note}
              </p>
              <p className="text-sm text-muted">
                <bdi>{by.name ?? by.id}</bdi> · <Time ms={time} />
              </p>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function NoteForm({ accountId }: { accountId: string }) {
  const { t } = useTranslation("operations");
  const [note, setNote] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    const path = `${admin}/accounts/${encodeURIComponent(accountId)}/notes`;
    await post(client, path, { note: note.trim() });
    await queryClient.invalidateQueries({ queryKey: accountQuery(accountId).queryKey });
  });
  return (
    <Form
      className="flex flex-col items-start gap-2 *:first:w-full"
      isReady={note.trim() !== ""}
      onSubmit={run}
    >
      <AreaField
        label={t("account.newNote")}
        help={t("account.noteHelp")}
        rows={2}
        maxLength={4000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" isBusy={isBusy} disabled={note.trim() === ""}>
        {t("account.addNote")}
      </Button>
    </Form>
  );
}
