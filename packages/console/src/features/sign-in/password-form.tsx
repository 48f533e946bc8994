import { Link } from "@tanstack/react-router";
import type { SignInAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { client, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

interface Props {
  onSignedIn(): void;
  onFactor(): void;
}

export function PasswordForm({ onSignedIn, onFactor }: Props) {
  const { t } = useTranslation();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    const { status } = await post<SignInAnswer>(client, "/api/v1/session", { email, password });
    if (status === "signed_in") onSignedIn();
    else onFactor();
  });
  return (
    <Form className="flex flex-col gap-4" onSubmit={run}>
      <TextField
        label={t("signIn.email")}
        type="email"
        autoComplete="username webauthn"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={t("signIn.password")}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("signIn.submit")}
      </Button>
      <Link to={"/reset-password" as never} className="text-sm text-accent-strong underline">
        {t("signIn.forgot")}
      </Link>
    </Form>
  );
}
