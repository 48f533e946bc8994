import { useQueryClient } from "@tanstack/react-query";
import type { InviteMemberAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Account, useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

export const roles = ["owner", "developer", "viewer"] as const;

export function InviteForm({ onInvited }: { onInvited(): void }) {
  const { t } = useTranslation("team");
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Account["role"]>("viewer");
  const { run, isBusy, error } = useAction(async () => {
    const path = "/api/v1/account/invitations";
    const { mail } = await post<InviteMemberAnswer>(client, path, { email, role });
    toast(t(mail === "off" ? "notMailed" : "invited"));
    onInvited();
    await cache.invalidateQueries({ queryKey: [account.accountId, "invitations"] });
  });
  return (
    <Form className="flex flex-col gap-4" onSubmit={run}>
      <TextField
        label={t("email")}
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label={t("role")}
        value={role}
        onChange={({ target }) => setRole(target.value as Account["role"])}
      >
        {roles.map((one) => (
          <option key={one} value={one}>
            {t(`roles.${one}`)}
          </option>
        ))}
      </SelectField>
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("invite")}
      </Button>
    </Form>
  );
}
