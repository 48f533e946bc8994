import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Card } from "../features/sign-in/card.tsx";
import { CompanyButton } from "../features/sign-in/company-button.tsx";
import { FactorForm } from "../features/sign-in/factor-form.tsx";
import { signInWithPasskey } from "../features/sign-in/passkey.ts";
import { PasswordForm } from "../features/sign-in/password-form.tsx";
import { safeReturnTo } from "../lib/return-to.ts";
import { useAction } from "../lib/use-action.ts";

export function SignInPage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as { returnTo?: string; signIn?: string };
  const [isFactor, setFactor] = useState(search.signIn === "second_factor_required");
  const returnTo = safeReturnTo(search.returnTo);
  const enter = () => location.assign(returnTo); // starts without anything of another person
  if (isFactor)
    return (
      <Card title={t("signIn.codeTitle")}>
        <FactorForm onSignedIn={enter} />
      </Card>
    );
  return (
    <Card title={t("signIn.title")}>
      <PasswordForm onSignedIn={enter} onFactor={() => setFactor(true)} />
      <OtherWays returnTo={returnTo} onSignedIn={enter} />
    </Card>
  );
}

function OtherWays({ returnTo, onSignedIn }: { returnTo: string; onSignedIn(): void }) {
  const { t } = useTranslation();
  const { run, isBusy, error } = useAction(async () => {
    if (await signInWithPasskey()) onSignedIn();
  });
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <Button isBusy={isBusy} onClick={() => run()}>
        {t("signIn.passkey")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
      <CompanyButton returnTo={returnTo} />
    </div>
  );
}
