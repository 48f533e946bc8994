import { useQuery } from "@tanstack/react-query";
import { NotFoundError } from "@zoetrope/sdk";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { readDeclaration } from "./queries.ts";

/** The declaration that was made with the upload. */
export function DeclarationView({ assetId }: { assetId: number }) {
  const { t } = useTranslation("assets");
  const { account, client } = useAccount();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [account.accountId, "declaration", assetId],
    queryFn: async ({ signal }) => {
      try {
        return await readDeclaration(client, assetId, signal);
      } catch (fault) {
        if (fault instanceof NotFoundError) return null;
        throw fault;
      }
    },
    staleTime: 10 * 60_000, // its link works for an hour
  });
  if (isPending) return <Skeleton className="h-12" />;
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold">{t("realPeople")}</h3>
      {data == null ? (
        <p className="text-muted">{t("notDeclared")}</p>
      ) : (
        <>
          <p dir="auto">
            <span className="text-muted">{t("people")}: </span>
            {data.people}
          </p>
          <p dir="auto">
            <span className="text-muted">{t("purpose")}: </span>
            {data.purpose}
          </p>
          <p className="text-sm text-muted">
            {t("declaredAt")} <Time ms={data.declaredAt} />
          </p>
          {data.formUrl !== null && (
            <a href={data.formUrl} download className="text-accent-strong underline">
              {t("downloadForm")}
            </a>
          )}
        </>
      )}
    </section>
  );
}
