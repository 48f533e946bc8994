import type { InviteToAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Secret } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { client, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

interface Props {
  path: string;
  /** The invitation, as the route takes it. */
  body: object;
  email: string;
  /** Without it the button makes a link that replaces the one before. */
  label?: string;
  onInvited(): Promise<unknown>;
}

/** A button that makes a link to hand over, where no mail server is set. */
export function CopyInvitation({ path, body, email, label, onInvited }: Props) {
  const { t } = useTranslation("operations");
  const [url, setUrl] = useState<string | null>(null);
  const { run, isBusy, error } = useAction(async () => {
    const asked = { ...body, asLink: true };
    const made = await post<Pick<InviteToAccountAnswer, "url">>(client, path, asked);
    if (made.url === undefined) await onInvited();
    else setUrl(made.url);
  });
  const close = () => {
    setUrl(null);
    void onInvited(); // the row is drawn anew then
  };
  return (
    <>
      <Button
        isSmall
        isBusy={isBusy}
        aria-label={label === undefined ? t("invitationLinkOf", { email }) : `${label} ${email}`}
        onClick={() => run()}
      >
        {label ?? t("invitationLink")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
      <Dialog title={t("invitationLinkTitle")} isOpen={url !== null} onClose={close}>
        <Secret value={url ?? ""} about={t("invitationLinkAbout", { email })} />
      </Dialog>
    </>
  );
}
