import { useQuery } from "@tanstack/react-query";
import type {
  BeginOidcSignInAnswer,
  BeginOidcSignInBody,
  ListSignInMethodsAnswer,
} from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

/** Sign-in at the company's provider, where the deployment has one. */
export function CompanyButton(body: BeginOidcSignInBody) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: ({ signal }) =>
      get<ListSignInMethodsAnswer>(client, "/api/v1/session/methods", {}, signal),
  });
  const { run, isBusy, error } = useAction(async () => {
    const { url } = await post<BeginOidcSignInAnswer>(client, "/api/v1/session/oidc", body);
    location.assign(url);
  });
  const oidc = data?.oidc ?? null;
  if (oidc === null) return null;
  return (
    <>
      <Button isBusy={isBusy} onClick={() => run()}>
        {t("signIn.company", { name: oidc.name })}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
