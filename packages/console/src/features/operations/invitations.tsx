import type { InviteToAccountAnswer } from "@zoetrope/sdk/admin";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { MailBadge } from "../../components/mail-badge.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { CopyInvitation } from "./copy-invitation.tsx";

type Role = "owner" | "developer" | "viewer" | "operator" | "support" | "reviewer";

interface PersonProps {
  name: string;
  about: ReactNode;
  role: Role;
  /** The actions for this person. */
  children?: ReactNode;
}

/** Somebody who belongs to an account or to the staff. */
export function Person({ name, about, role, children }: PersonProps) {
  const { t } = useTranslation("frame");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 break-words">
        <bdi className="font-medium">{name}</bdi>{" "}
        <span className="text-sm text-muted">{about}</span>
      </span>
      <span className="flex flex-wrap items-center gap-3">
        {t(`role.${role}`)}
        {children}
      </span>
    </li>
  );
}

interface InvitedProps {
  invitation: {
    email: string;
    role: Role;
    expiresAt: string;
    mail: "sent" | "waiting" | "refused" | "link" | "off";
  };
  children?: ReactNode;
}

/** Somebody who has not accepted yet. */
export function Invited({ invitation: { email, role, expiresAt, mail }, children }: InvitedProps) {
  const { t } = useTranslation("operations");
  const until = (
    <>
      {t("invitedUntil")} <Time ms={Date.parse(expiresAt)} />
    </>
  );
  return (
    <Person name={email} about={until} role={role}>
      <MailBadge mail={mail} />
      {children}
    </Person>
  );
}

interface AgainProps {
  path: string;
  /** The invitation, as the route that makes it takes it. */
  body: object;
  invitation: Pick<InvitedProps["invitation"], "email" | "mail">;
  onInvited(): Promise<unknown>;
}

/** A new link by mail or, if the one before was not mailed, to hand over. The one before works no longer. */
export function InviteAgain({ invitation: { email, mail }, ...rest }: AgainProps) {
  const isByHand = mail === "off" || mail === "link";
  return isByHand ? (
    <CopyInvitation {...rest} email={email} />
  ) : (
    <SendAgain {...rest} email={email} />
  );
}

interface SendProps extends Omit<AgainProps, "invitation"> {
  email: string;
}

function SendAgain({ path, body, email, onInvited }: SendProps) {
  const { t } = useTranslation(["operations", "frame"]);
  const { run, isBusy, error } = useAction(async () => {
    const { mail } = await post<InviteToAccountAnswer>(client, path, body);
    toast(t(mail === "off" ? "operations:invitedNoMail" : "operations:invited", { email }));
    await onInvited();
  });
  return (
    <>
      <Button
        isSmall
        isBusy={isBusy}
        aria-label={t("frame:mail.againTo", { email })}
        onClick={() => run()}
      >
        {t("frame:mail.again")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}

interface FormProps<Choice extends Role> {
  path: string;
  /** Goes with the e-mail address and the role. */
  given?: object;
  roles: readonly Choice[];
  firstRole: Choice;
  helpOf(role: Choice): string;
  onInvited(): Promise<unknown>;
}

export function InviteForm<Choice extends Role>(props: FormProps<Choice>) {
  const { path, given, roles, helpOf, onInvited } = props;
  const { t } = useTranslation(["operations", "frame"]);
  const [typed, setEmail] = useState("");
  const [role, setRole] = useState(props.firstRole);
  const { run, isBusy, error } = useAction(async () => {
    const email = typed.trim();
    const { mail } = await post<InviteToAccountAnswer>(client, path, { ...given, email, role });
    toast(t(mail === "off" ? "operations:invitedNoMail" : "operations:invited", { email }));
    setEmail("");
    await onInvited();
  });
  return (
    <Form className="flex flex-wrap items-end gap-3" onSubmit={run}>
      <div className="min-w-0 flex-1 basis-48">
        <TextField
          label={t("operations:email")}
          type="email"
          required
          value={typed}
          onChange={({ target }) => setEmail(target.value)}
        />
      </div>
      <SelectField
        label={t("operations:role")}
        value={role}
        onChange={({ target }) => setRole(target.value as Choice)}
      >
        {roles.map((one) => (
          <option key={one} value={one}>
            {t(`frame:role.${one as Role}`)}
          </option>
        ))}
      </SelectField>
      <Button type="submit" isBusy={isBusy}>
        {t("operations:invite")}
      </Button>
      <p className="w-full text-sm text-muted">{helpOf(role)}</p>
      {error !== null && <ErrorPanel error={error} />}
    </Form>
  );
}
