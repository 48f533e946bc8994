import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

export function PasswordForm() {
  const { t } = useTranslation("team");
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    const own = currentPassword === "" ? {} : { currentPassword };
    await post(client, "/api/v1/me/password", { ...own, newPassword });
    setCurrent("");
    setNew("");
    toast(t("profile.passwordChanged"));
  });
  return (
    <Form onSubmit={run}>
      <TextField
        label={t("profile.current")}
        help={t("profile.currentHelp")}
        type="password"
        autoComplete="current-password"
        value={currentPassword}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <TextField
        label={t("profile.next")}
        help={t("profile.nextHelp")}
        type="password"
        autoComplete="new-password"
        minLength={12}
        required
        value={newPassword}
        onChange={({ target }) => setNew(target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" isBusy={isBusy} className="self-start">
        {t("profile.changePassword")}
      </Button>
    </Form>
  );
}

export function EmailForm() {
  const { t } = useTranslation("team");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    await post(client, "/api/v1/me/email", { email, ...(password === "" ? {} : { password }) });
    setPassword("");
    toast(t("profile.linkSent"));
  });
  return (
    <Form onSubmit={run}>
      <TextField
        label={t("profile.newEmail")}
        help={t("profile.emailHelp")}
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <TextField
        label={t("profile.current")}
        help={t("profile.currentHelp")}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" isBusy={isBusy} className="self-start">
        {t("profile.sendLink")}
      </Button>
    </Form>
  );
}
