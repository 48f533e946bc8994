import { useQuery } from "@tanstack/react-query";
import type { BeginPasskeyAnswer, ListPasskeysAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

const path = "/api/v1/me/passkeys";
type Passkey = ListPasskeysAnswer["passkeys"][number];

/** Has the device make a passkey. False: the person changed their mind. */
async function addPasskey(name: string): Promise<boolean> {
  const { options } = await post<BeginPasskeyAnswer>(client, `${path}/options`);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) return false;
  await post(client, path, { name, credential: credential.toJSON() });
  return true;
}

export function Passkeys() {
  const { t } = useTranslation(["frame", "team"]);
  const passkeys = useQuery({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) => get<ListPasskeysAnswer>(client, path, {}, signal),
  });
  const [name, setName] = useState("");
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const { run, isBusy, error } = useAction(async () => {
    if (!(await addPasskey(name))) return;
    setName("");
    toast(t("team:profile.passkeyAdded"));
    await passkeys.refetch();
  });
  const fault = passkeys.error ?? error;
  return (
    <div className="flex flex-col gap-3">
      <p>{t("team:profile.passkeysAbout")}</p>
      {passkeys.isPending && <Skeleton className="h-12" />}
      <List passkeys={passkeys.data?.passkeys ?? []} onRemove={setRemoved} />
      {fault !== null && <ErrorPanel error={fault} />}
      <Form className="flex max-w-xs flex-col gap-3" onSubmit={run}>
        <TextField
          label={t("team:profile.passkeyName")}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" isBusy={isBusy} className="self-start">
          {t("team:profile.addPasskey")}
        </Button>
      </Form>
      <Confirm
        title={t("team:profile.removePasskeyTitle", { name: removed?.name ?? "" })}
        effect={t("team:profile.removePasskeyEffect")}
        action={t("team:remove")}
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          const query = { passkeyId: removed?.passkeyId };
          await client.request({ method: "DELETE", path, query });
          await passkeys.refetch();
        }}
      />
    </div>
  );
}

interface ListProps {
  passkeys: readonly Passkey[];
  onRemove(passkey: Passkey): void;
}

function List({ passkeys, onRemove }: ListProps) {
  const { t } = useTranslation("team");
  if (passkeys.length === 0) return null;
  return (
    <ul className="flex flex-col divide-y divide-line">
      {passkeys.map((passkey) => (
        <li key={passkey.passkeyId} className="flex items-center gap-3 py-2">
          <bdi className="min-w-0 flex-1 truncate font-medium">{passkey.name}</bdi>
          {passkey.usedAt === undefined ? (
            <span className="text-muted">{t("profile.neverUsed")}</span>
          ) : (
            <Time ms={Date.parse(passkey.usedAt)} />
          )}
          <Button isSmall onClick={() => onRemove(passkey)}>
            {t("remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
