import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type {
  ChangeEndpointBody,
  SendTestEventAnswer,
  WebhookEndpoint,
} from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { toast } from "../../components/toasts.tsx";
import { post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { EndpointHealth } from "./endpoint-health.tsx";
import { SecretPanel } from "./secret-panel.tsx";

const path = "/api/v1/webhooks/endpoints";
/**
 * The times after a test event at which the health of an endpoint is read again: an attempt takes a
 * while.
 */
const healthAfterMs = [1_500, 5_000, 20_000];

export function EndpointCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation(["frame", "developers"]);
  const { account } = useAccount();
  const { url, description, events } = endpoint;
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-panel p-4">
      <div className="min-w-0">
        <h3 className="font-mono font-medium break-all">{url}</h3>
        {description !== "" && (
          <p className="text-muted">
            <bdi>{description}</bdi>
          </p>
        )}
        <p className="text-sm">{events?.join(", ") ?? t("developers:endpoints.allEvents")}</p>
      </div>
      <EndpointHealth endpoint={endpoint} />
      {account.role !== "viewer" && <Actions endpoint={endpoint} />}
    </li>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation(["frame", "developers"]);
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const { endpointId, url, pausedAt } = endpoint;
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const reload = () => cache.invalidateQueries({ queryKey: [account.accountId, "endpoints"] });
  const change = useAction(async (body: ChangeEndpointBody) => {
    await client.request({ method: "PATCH", path, query: { endpointId }, body });
    setEditing(false);
    await reload();
  });
  const test = useAction(async () => {
    await post<SendTestEventAnswer>(client, "/api/v1/webhooks/test", { endpointId });
    toast(t("developers:endpoints.tested"));
    for (const ms of healthAfterMs) setTimeout(reload, ms);
  });
  const error = isEditing ? null : (change.error ?? test.error);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button isSmall isBusy={test.isBusy} onClick={() => test.run()}>
          {t("developers:endpoints.test")}
        </Button>
        <Link
          to="."
          search={{ tab: "deliveries", endpoint: endpointId } as never}
          className={buttonClass("plain", true)}
        >
          {t("developers:endpoints.showDeliveries")}
        </Link>
        <Button isSmall onClick={() => setEditing(true)}>
          {t("developers:endpoints.edit")}
        </Button>
        <Button
          isSmall
          isBusy={change.isBusy}
          onClick={() => change.run({ paused: pausedAt === null })}
        >
          {pausedAt === null ? t("developers:endpoints.pause") : t("developers:endpoints.resume")}
        </Button>
        <Button isSmall variant="danger" onClick={() => setDeleting(true)}>
          {t("delete")}
        </Button>
      </div>
      <SecretPanel endpointId={endpointId} />
      {error !== null && <ErrorPanel error={error} />}
      <Dialog
        title={t("developers:endpoints.editTitle")}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
      >
        <EndpointForm
          before={endpoint}
          action={t("save")}
          isBusy={change.isBusy}
          error={change.error}
          onSubmit={change.run}
        />
      </Dialog>
      <Confirm
        title={t("developers:endpoints.deleteTitle")}
        effect={t("developers:endpoints.deleteEffect", { url })}
        action={t("delete")}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await client.request({ method: "DELETE", path, query: { endpointId } });
          await reload();
        }}
      />
    </>
  );
}
