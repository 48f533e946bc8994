import { useQuery } from "@tanstack/react-query";
import type { ConfirmTotpAnswer, EnrolTotpAnswer, ReadTotpAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Code, Secret } from "../../components/copy-button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { QrCode } from "./qr-code.tsx";

const path = "/api/v1/me/totp";

export function Authenticator() {
  const { t } = useTranslation("team");
  const state = useQuery({
    queryKey: ["totp"],
    queryFn: ({ signal }) => get<ReadTotpAnswer>(client, path, {}, signal),
  });
  const [enrolled, setEnrolled] = useState<EnrolTotpAnswer | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const [isDisabling, setDisabling] = useState(false);
  const begin = useAction(async () => setEnrolled(await post<EnrolTotpAnswer>(client, path)));
  const confirm = async (code: string) => {
    const answer = await post<ConfirmTotpAnswer>(client, `${path}/confirm`, { code });
    setRecoveryCodes(answer.recoveryCodes);
    setEnrolled(null);
    await state.refetch();
  };
  const disable = async () => {
    await post(client, `${path}/disable`);
    setRecoveryCodes(null);
    toast(t("profile.disabled"));
    await state.refetch();
  };
  const error = state.error ?? begin.error;
  if (state.data === undefined)
    return error === null ? <Skeleton className="h-24" /> : <ErrorPanel error={error} />;
  const { isEnabled, recoveryCodesLeft } = state.data;
  return (
    <div className="flex flex-col gap-3">
      <p>{isEnabled ? t("profile.totpOn", { count: recoveryCodesLeft }) : t("profile.totpOff")}</p>
      {recoveryCodes !== null && (
        <Secret value={recoveryCodes.join(" ")} about={t("profile.recovery")} />
      )}
      {error !== null && <ErrorPanel error={error} />}
      {!isEnabled && enrolled === null && (
        <Button className="self-start" isBusy={begin.isBusy} onClick={() => begin.run()}>
          {t("profile.enable")}
        </Button>
      )}
      {enrolled !== null && (
        <>
          <p>{t("profile.scan")}</p>
          <QrCode text={enrolled.otpauthUrl} label={t("profile.qr")} />
          <Code>{enrolled.secret}</Code>
          <CodeForm label={t("profile.code")} action={t("profile.confirm")} onCode={confirm} />
        </>
      )}
      {isEnabled && (
        <Button className="self-start" onClick={() => setDisabling(true)}>
          {t("profile.disable")}
        </Button>
      )}
      <Confirm
        title={t("profile.disable")}
        effect={t("profile.disableAbout")}
        action={t("profile.disable")}
        isOpen={isDisabling}
        onClose={() => setDisabling(false)}
        onConfirm={disable}
      />
    </div>
  );
}

interface CodeProps {
  label: string;
  action: string;
  onCode(code: string): Promise<void>;
}

function CodeForm({ label, action, onCode }: CodeProps) {
  const [code, setCode] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    await onCode(code.trim());
    setCode("");
  });
  return (
    <Form className="flex max-w-xs flex-col gap-3" onSubmit={run}>
      <TextField
        label={label}
        autoComplete="one-time-code"
        required
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" isBusy={isBusy} className="self-start">
        {action}
      </Button>
    </Form>
  );
}
