import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { client, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

export function FactorForm({ onSignedIn }: { onSignedIn(): void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    await post(client, "/api/v1/session/factor", { code: code.trim() });
    onSignedIn();
  });
  return (
    <Form className="flex flex-col gap-4" onSubmit={run}>
      <TextField
        label={t("signIn.code")}
        help={t("signIn.codeHelp")}
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("signIn.codeSubmit")}
      </Button>
    </Form>
  );
}
