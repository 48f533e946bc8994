import type { ResetPasswordAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Time } from "../components/time.tsx";
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
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("reset.request")}
      </Button>
    </Form>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [done, setDone] = useState<ResetPasswordAnswer | null>(null);
  const { run, isBusy, error } = useAction(async () => {
    const body = { token, password };
    setDone(await post<ResetPasswordAnswer>(client, "/api/v1/password/reset", body));
  });
  if (done !== null)
    return (
      <>
        <p role="status">{t("reset.done")}</p>
        <Ways about={t("reset.removed")} ways={done.removed} />
        <Ways about={t("reset.kept")} ways={done.kept} />
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
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("reset.submit")}
      </Button>
    </Form>
  );
}

function Ways({ about, ways }: { about: string; ways: ResetPasswordAnswer["kept"] }) {
  const { t } = useTranslation();
  if (ways.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <p>{about}</p>
      <ul className="list-disc pl-5">
        {ways.map(({ kind, name, createdAt }) => (
          <li key={`${kind} ${name} ${createdAt}`}>
            <bdi>{t(`reset.ways.${kind}`, { name })}</bdi> <Time ms={Date.parse(createdAt)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
