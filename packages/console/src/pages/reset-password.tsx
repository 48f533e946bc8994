import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Card } from "../features/sign-in/card.tsx";
import { client, post } from "../lib/client.ts";
import { linkToken } from "../lib/link-token.ts";
import { useAction } from "../lib/use-action.ts";

/** Without a link it asks for one; with one it sets the password. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const [token] = useState(linkToken);
  return (
    <Card title={t("reset.title")}>
      {token === null ? <RequestForm /> : <PasswordForm token={token} />}
    </Card>
  );
}

function RequestForm() {
  const { t } = useTranslation();
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await post(client, "/api/v1/password/request", { email });
    setSent(true);
  });
  if (isSent) return <p role="status">{t("reset.sent")}</p>;
  return (
    <Form className="flex flex-col gap-4" onSubmit={run}>
      <p className="text-muted">{t("reset.requestAbout")}</p>
      <TextField
        label={t("signIn.email")}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="primary" isBusy={isBusy}>
        {t("reset.request")}
      </Button>
    </Form>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await post(client, "/api/v1/password/reset", { token, password });
    setDone(true);
  });
  if (isDone)
    return (
      <>
        <p role="status">{t("reset.done")}</p>
        <a href="/console/sign-in" className={buttonClass("primary")}>
          {t("signIn.submit")}
        </a>
      </>
    );
  return (
    <Form className="flex flex-col gap-4" onSubmit={run}>
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
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="primary" isBusy={isBusy}>
        {t("reset.submit")}
      </Button>
    </Form>
  );
}
