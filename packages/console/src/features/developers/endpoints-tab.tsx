import { useQuery } from "@tanstack/react-query";
import type { CreateEndpointAnswer, CreateEndpointBody } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Secret } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, Panel, Skeleton } from "../../components/panel.tsx";
import { post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { EndpointCard } from "./endpoint-card.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { endpointsQuery } from "./queries.ts";
import { SecretPanel } from "./secret-panel.tsx";

export function EndpointsTab() {
  const { t } = useTranslation("developers");
  const through = useAccount();
  const endpoints = useQuery(endpointsQuery(through));
  const [isCreating, setCreating] = useState(false);
  const mayWrite = through.account.role !== "viewer";
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">{t("endpoints.about")}</p>
        {mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {t("endpoints.create")}
          </Button>
        )}
      </div>
      {endpoints.error !== null && (
        <ErrorPanel error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      )}
      {endpoints.isPending && <Skeleton className="h-40" />}
      {endpoints.data?.items.length === 0 && (
        <Empty title={t("endpoints.empty")}>{t("endpoints.emptyAbout")}</Empty>
      )}
      <h2 className="sr-only">{t("tabs.endpoints")}</h2>
      <ul className="flex flex-col gap-3">
        {endpoints.data?.items.map((endpoint) => (
          <EndpointCard key={endpoint.endpointId} endpoint={endpoint} />
        ))}
      </ul>
      {mayWrite && (
        <Panel title={t("endpoints.accountSecret")}>
          <p className="mb-3 text-muted">{t("endpoints.accountSecretAbout")}</p>
          <SecretPanel endpointId={null} />
        </Panel>
      )}
      {isCreating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={() => void endpoints.refetch()}
        />
      )}
    </div>
  );
}

function CreateDialog({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const { t } = useTranslation("developers");
  const { client } = useAccount();
  const [secret, setSecret] = useState<string | null>(null);
  const { run, isBusy, error } = useAction(async (body: CreateEndpointBody) => {
    const answer = await post<CreateEndpointAnswer>(client, "/api/v1/webhooks/endpoints", body);
    setSecret(answer.secret);
    onCreated();
  });
  return (
    <Dialog title={t("endpoints.create")} isOpen onClose={onClose}>
      {secret === null ? (
        <EndpointForm action={t("endpoints.create")} isBusy={isBusy} error={error} onSubmit={run} />
      ) : (
        <>
          <Secret value={secret} about={t("endpoints.secretAbout")} />
          <Button variant="primary" onClick={onClose}>
            {t("keys.done")}
          </Button>
        </>
      )}
    </Dialog>
  );
}
