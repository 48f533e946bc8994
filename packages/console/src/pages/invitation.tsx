import { useQuery } from "@tanstack/react-query";
import type { AcceptInvitationAnswer, ReadInvitationAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Card } from "../features/sign-in/card.tsx";
import { CompanyButton } from "../features/sign-in/company-button.tsx";
import { client, post } from "../lib/client.ts";
import { linkToken } from "../lib/link-token.ts";
import { useAction } from "../lib/use-action.ts";

export function InvitationPage() {
  const { t } = useTranslation();
  const [token] = useState(linkToken);
  const { data, error } = useQuery({
    queryKey: ["invitation"],
    queryFn: () => post<ReadInvitationAnswer>(client, "/api/v1/invitation/read", { token }),
    enabled: token !== null,
  });
  return (
    <Card title={t("invitation.title")}>
      {token === null && <p>{t("invitation.noToken")}</p>}
      {error !== null && <ErrorPanel error={error} />}
      {token !== null && data !== undefined && <AcceptForm token={token} invitation={data} />}
    </Card>
  );
}

interface FormProps {
  token: string;
  invitation: ReadInvitationAnswer;
}

function AcceptForm({ token, invitation }: FormProps) {
  const { t } = useTranslation();
  const { email, accountName, isKnown } = invitation;
  const role = t(`role.${invitation.role}`);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [hasJoined, setJoined] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    const body = isKnown ? { token } : { token, name, password };
    const answer = await post<AcceptInvitationAnswer>(client, "/api/v1/invitation/accept", body);
    if (answer.status === "signed_in") location.assign("/console/");
    else setJoined(true);
  });
  if (hasJoined)
    return (
      <>
        <p>{t("invitation.joined")}</p>
        <a href="/console/sign-in" className={buttonClass("primary")}>
          {t("signIn.submit")}
        </a>
      </>
    );
  return (
    <Form className="flex flex-col gap-4" onSubmit={run}>
      <p>
        {accountName === null
          ? t("invitation.toStaff", { email, role })
          : t("invitation.toAccount", { email, role, account: accountName })}
      </p>
      {!isKnown && (
        <>
          <TextField
            label={t("invitation.name")}
            autoComplete="name"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <TextField
            label={t("invitation.password")}
            help={t("invitation.passwordHelp")}
            type="password"
            autoComplete="new-password"
            minLength={12}
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </>
      )}
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("invitation.accept")}
      </Button>
      {!isKnown && <CompanyButton invitation={token} returnTo="/console" />}
    </Form>
  );
}
