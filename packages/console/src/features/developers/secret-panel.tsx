import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReadWebhookSecretAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Secret } from "../../components/copy-button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { toast } from "../../components/toasts.tsx";
import { get } from "../../lib/client.ts";
import { formatTime } from "../../lib/format.ts";

const overlapHours = 24;

/** The secret of an endpoint, or of the account's callbacks. It is read when it is asked for. */
export function SecretPanel({ endpointId }: { endpointId: string | null }) {
  const { t } = useTranslation("developers");
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const path =
    endpointId === null ? "/api/v1/webhooks/secret" : "/api/v1/webhooks/endpoints/secret";
  const query = { endpointId };
  const queryKey = [account.accountId, "webhook-secret", endpointId];
  const secret = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<ReadWebhookSecretAnswer>(client, path, query, signal),
    enabled: isShown,
    gcTime: 0, // a secret is not kept
  });
  const rotate = async () => {
    const call = { method: "POST" as const, path: `${path}/rotate`, query };
    const answer = await client.request<ReadWebhookSecretAnswer>({
      ...call,
      body: { overlapHours },
    });
    cache.setQueryData(queryKey, answer);
    setShown(true);
    toast(t("endpoints.rotated"));
  };
  const until = secret.data?.previousUntil ?? null;
  return (
    <div className="flex flex-col gap-2">
      {secret.error !== null && (
        <ErrorPanel error={secret.error} onRetry={() => void secret.refetch()} />
      )}
      {isShown && secret.isPending && <Spinner />}
      {isShown && secret.data !== undefined && (
        <Secret value={secret.data.secret} about={t("endpoints.secretAbout")} />
      )}
      {until !== null && <p>{t("endpoints.previous", { time: formatTime(until) })}</p>}
      <div className="flex flex-wrap gap-2">
        {!isShown && (
          <Button isSmall onClick={() => setShown(true)}>
            {t("endpoints.showSecret")}
          </Button>
        )}
        <Button isSmall onClick={() => setRotating(true)}>
          {t("endpoints.rotate")}
        </Button>
      </div>
      <Confirm
        title={t("endpoints.rotateTitle")}
        effect={t("endpoints.rotateEffect", { hours: overlapHours })}
        action={t("endpoints.rotate")}
        variant="primary"
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        onConfirm={rotate}
      />
    </div>
  );
}
