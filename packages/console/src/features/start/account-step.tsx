import type { CreateAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Me, meQuery } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { AccountLink } from "../operations/facts.tsx";
import { admin } from "../operations/queries.ts";
import { Step } from "./step.tsx";

export type OwnAccount = Me["accounts"][number];

export function AccountStep({ account }: { account: OwnAccount | null }) {
  const { t } = useTranslation("start");
  return (
    <Step title={t("account.title")} about={t("account.about")} isDone={account !== null}>
      {account === null ? (
        <AccountForm />
      ) : (
        <p>
          <AccountLink accountId={account.accountId} name={account.name} />
        </p>
      )}
    </Step>
  );
}

function AccountForm() {
  const { t } = useTranslation("start");
  const [name, setName] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    const body = { name: name.trim(), asOwner: true };
    await post<CreateAccountAnswer>(client, `${admin}/accounts`, body);
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  });
  return (
    <Form className="flex flex-wrap items-end gap-3" isReady={name.trim() !== ""} onSubmit={run}>
      <div className="min-w-0 basis-72">
        <TextField
          label={t("account.name")}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <Button type="submit" variant="primary" isBusy={isBusy} disabled={name.trim() === ""}>
        {t("account.create")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </Form>
  );
}
