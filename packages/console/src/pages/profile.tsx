import { useTranslation } from "react-i18next";
import { Page, Panel } from "../components/panel.tsx";
import { Authenticator } from "../features/profile/authenticator.tsx";
import { Identities } from "../features/profile/identities.tsx";
import { Passkeys } from "../features/profile/passkeys.tsx";
import { EmailForm, PasswordForm } from "../features/profile/password-forms.tsx";
import { PersonForm } from "../features/profile/person-form.tsx";
import { Sessions } from "../features/profile/sessions.tsx";

export function ProfilePage() {
  const { t } = useTranslation(["frame", "team"]);
  return (
    <Page title={t("pages.profile")}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title={t("team:profile.person")}>
          <PersonForm />
        </Panel>
        <Panel title={t("team:profile.sessions")}>
          <Sessions />
        </Panel>
        <Panel title={t("team:profile.passkeys")}>
          <Passkeys />
        </Panel>
        <Panel title={t("team:profile.totp")}>
          <Authenticator />
        </Panel>
        <Panel title={t("team:profile.password")}>
          <PasswordForm />
        </Panel>
        <Panel title={t("team:profile.emailTitle")}>
          <EmailForm />
        </Panel>
        <Panel title={t("team:profile.company")}>
          <Identities />
        </Panel>
      </div>
    </Page>
  );
}
