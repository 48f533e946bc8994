import type { CreateAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { meQuery } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Secret } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { CheckField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { AccountLink } from "./facts.tsx";
import { admin } from "./queries.ts";

export function CreateAccount({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("operations");
  const [created, setCreated] = useState<(CreateAccountAnswer & { name: string }) | null>(null);
  return (
    <Dialog title={t("accounts.create")} isOpen onClose={onClose}>
      {created === null ? (
        <AccountForm onCreated={setCreated} />
      ) : (
        <>
          <Secret value={created.webhookSecret} about={t("accounts.secretAbout")} />
          <p>
            {t("accounts.next")} <AccountLink accountId={created.accountId} name={created.name} />
          </p>
        </>
      )}
    </Dialog>
  );
}

interface FormProps {
  onCreated(created: CreateAccountAnswer & { name: string }): void;
}

function AccountForm({ onCreated }: FormProps) {
  const { t } = useTranslation("operations");
  const [name, setName] = useState("");
  const [tasks, setTasks] = useState("");
  const [asOwner, setOwner] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    const openTasksMax = tasks === "" ? undefined : Number(tasks);
    const body = { name: name.trim(), openTasksMax, asOwner };
    const created = await post<CreateAccountAnswer>(client, `${admin}/accounts`, body);
    await queryClient.invalidateQueries({ queryKey: ["admin", "accounts"] });
    if (asOwner) await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    onCreated({ ...created, name: name.trim() });
  });
  const isReady = name.trim() !== "" && /^\d{0,6}$/.test(tasks);
  return (
    <Form isReady={isReady} onSubmit={run}>
      <TextField
        label={t("accounts.name")}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t("accounts.openTasksMax")}
        help={t("accounts.openTasksHelp")}
        inputMode="numeric"
        value={tasks}
        onChange={(event) => setTasks(event.target.value)}
      />
      <CheckField
        label={t("accounts.asOwner")}
        help={t("accounts.asOwnerHelp")}
        checked={asOwner}
        onChange={(event) => setOwner(event.target.checked)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isReady}>
        {t("accounts.create")}
      </Button>
    </Form>
  );
}
