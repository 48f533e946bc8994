import { useQuery } from "@tanstack/react-query";
import type {
  LinkIdentityAnswer,
  ListIdentitiesAnswer,
  ListSignInMethodsAnswer,
} from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

const path = "/api/v1/me/identities";

/** Company sign-in: linked identities, and how to link. Read when it is asked for. */
export function Identities() {
  const { t } = useTranslation("team");
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer">{t("profile.showCompany")}</summary>
      {isOpen && <Linked />}
    </details>
  );
}

function Linked() {
  const { t } = useTranslation(["frame", "team"]);
  const methods = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: ({ signal }) =>
      get<ListSignInMethodsAnswer>(client, "/api/v1/session/methods", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const oidc = methods.data?.oidc ?? null;
  const identities = useQuery({
    queryKey: ["identities"],
    queryFn: ({ signal }) => get<ListIdentitiesAnswer>(client, path, {}, signal),
    enabled: oidc !== null,
  });
  const link = useAction(async () => {
    const body = { returnTo: "/console/profile" };
    location.assign((await post<LinkIdentityAnswer>(client, path, body)).url);
  });
  const unlink = useAction(async (identityId: string) => {
    await client.request({ method: "DELETE", path, query: { identityId } });
    await identities.refetch();
  });
  if (methods.isPending) return <Spinner />;
  if (oidc === null) return <p className="mt-2">{t("team:profile.noCompany")}</p>;
  const linked = identities.data?.identities ?? [];
  const error = identities.error ?? link.error ?? unlink.error;
  return (
    <div className="mt-2 flex flex-col gap-3">
      {error !== null && <ErrorPanel error={error} />}
      <ul className="flex flex-col divide-y divide-line">
        {linked.map(({ identityId, email, issuer }) => (
          <li key={identityId} className="flex items-center gap-3 py-2">
            <span className="min-w-0 flex-1 truncate">{email ?? issuer}</span>
            <Button isSmall isBusy={unlink.isBusy} onClick={() => unlink.run(identityId)}>
              {t("team:remove")}
            </Button>
          </li>
        ))}
      </ul>
      {linked.length === 0 && (
        <Button className="self-start" isBusy={link.isBusy} onClick={() => link.run()}>
          {t("signIn.company", { name: oidc.name })}
        </Button>
      )}
    </div>
  );
}
