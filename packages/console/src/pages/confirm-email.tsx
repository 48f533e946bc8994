import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Card } from "../features/sign-in/card.tsx";
import { client, isSignedOut, post } from "../lib/client.ts";
import { linkToken } from "../lib/link-token.ts";

export function ConfirmEmailPage() {
  const { t } = useTranslation();
  const [token] = useState(linkToken);
  const { error, isSuccess } = useQuery({
    queryKey: ["confirm-email"],
    queryFn: () => post(client, "/api/v1/email/confirm", { token }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY, // a link works once
  });
  return (
    <Card title={t("confirmEmail.title")}>
      {token === null && <p>{t("invitation.noToken")}</p>}
      {error !== null && !isSignedOut(error) && <ErrorPanel error={error} />}
      {isSignedOut(error) && <p role="alert">{t("confirmEmail.signIn")}</p>}
      {isSuccess && <p role="status">{t("confirmEmail.done")}</p>}
      <a href={isSignedOut(error) ? "/console/sign-in" : "/console/"} className={buttonClass()}>
        {t(isSignedOut(error) ? "signIn.submit" : "error.home")}
      </a>
    </Card>
  );
}
