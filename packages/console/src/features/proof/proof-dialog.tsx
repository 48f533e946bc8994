import { useQuery } from "@tanstack/react-query";
import type { BeginOidcProofAnswer, ListProofsAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import type { ProofReason } from "../../lib/ask-proof.ts";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { askPasskey } from "../sign-in/passkey.ts";

const path = "/api/v1/session/proof";
type Way = ListProofsAnswer["ways"][number];

interface Props {
  reason: ProofReason;
  onEnd(isProved: boolean): void;
}

/**
 * The dialog "Prove that it is you" for the means that the person has. The refused request is
 * repeated afterwards.
 */
export function ProofDialog({ reason, onEnd }: Props) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ["proofs"],
    queryFn: ({ signal }) => get<ListProofsAnswer>(client, path, {}, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const isFactor = reason === "second_factor_required";
  // Opened with what it asks for: its field is focused then.
  if (data === undefined && error === null) return null;
  return (
    <Dialog
      title={t("proof.title")}
      about={t(isFactor ? "proof.aboutFactor" : "proof.about")}
      isOpen
      onClose={() => onEnd(false)}
    >
      {error !== null && <ErrorPanel error={error} />}
      {data !== undefined && (
        <Ways
          ways={
            isFactor ? data.ways.filter((way) => way === "code" || way === "passkey") : data.ways
          }
          isFactor={isFactor}
          onProved={() => onEnd(true)}
        />
      )}
    </Dialog>
  );
}

interface WaysProps {
  ways: readonly Way[];
  isFactor: boolean;
  onProved(): void;
}

function Ways({ ways, isFactor, onProved }: WaysProps) {
  const { t } = useTranslation();
  const text = ways.find((way) => way === "code" || way === "password");
  if (ways.length === 0)
    return (
      <>
        <p>{t(isFactor ? "proof.noFactor" : "proof.none")}</p>
        <a
          href={isFactor ? "/console/profile" : "/console/sign-in"}
          className={buttonClass("primary")}
        >
          {t(isFactor ? "proof.setUp" : "signIn.submit")}
        </a>
      </>
    );
  return (
    <div className="flex flex-col gap-3">
      {text !== undefined && <SecretForm key={text} way={text} onProved={onProved} />}
      {ways.includes("passkey") && <PasskeyButton onProved={onProved} />}
      {ways.includes("oidc") && <CompanyButton />}
    </div>
  );
}

function SecretForm({ way, onProved }: { way: "code" | "password"; onProved(): void }) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    await post(client, path, way === "code" ? { code: secret.trim() } : { password: secret });
    onProved();
  });
  return (
    <Form onSubmit={run}>
      <TextField
        label={t(way === "code" ? "signIn.code" : "signIn.password")}
        {...(way === "code" ? { help: t("signIn.codeHelp") } : {})}
        type={way === "code" ? "text" : "password"}
        autoComplete={way === "code" ? "one-time-code" : "current-password"}
        required
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {t("proof.submit")}
      </Button>
    </Form>
  );
}

function PasskeyButton({ onProved }: { onProved(): void }) {
  const { t } = useTranslation();
  const { run, isBusy, error } = useAction(async () => {
    if (await askPasskey({ begin: `${path}/passkey/options`, end: path })) onProved();
  });
  return (
    <>
      <Button isBusy={isBusy} onClick={() => run()}>
        {t("proof.passkey")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}

/** The page is left: what was refused has to be done again after the return. */
function CompanyButton() {
  const { t } = useTranslation();
  const { run, isBusy, error } = useAction(async () => {
    const body = { returnTo: `${location.pathname}${location.search}` };
    location.assign((await post<BeginOidcProofAnswer>(client, `${path}/oidc`, body)).url);
  });
  return (
    <>
      <p className="text-muted">{t("proof.companyAbout")}</p>
      <Button isBusy={isBusy} onClick={() => run()}>
        {t("proof.company")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
