import { useQuery } from "@tanstack/react-query";
import type { ListSessionsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, get, post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { readUserAgent } from "./user-agent.ts";

const path = "/api/v1/me/sessions";

export function Sessions() {
  const { t } = useTranslation("team");
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => get<ListSessionsAnswer>(client, path, {}, signal),
  });
  const { run, isBusy, error } = useAction(async (sessionId: string | null) => {
    if (sessionId === null) await post(client, `${path}/end-others`);
    else await client.request({ method: "DELETE", path, query: { sessionId } });
    toast(t("profile.ended"));
    await sessions.refetch();
  });
  const nameOf = (userAgent: string | null) => {
    const { browser, system } = readUserAgent(userAgent ?? "");
    if (browser === null) return userAgent ?? t("profile.browser");
    return system === null ? browser : t("profile.browserOn", { browser, system });
  };
  const fault = sessions.error ?? error;
  const shown = sessions.data?.sessions ?? [];
  return (
    <div className="flex flex-col gap-3">
      {fault !== null && <ErrorPanel error={fault} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Skeleton className="h-24" />}
      <ul className="flex flex-col divide-y divide-line">
        {shown.map(({ sessionId, userAgent, address, lastUsedAt, isCurrent }) => (
          <li key={sessionId} className="flex flex-wrap items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate" title={userAgent ?? ""}>
                {nameOf(userAgent)}
              </p>
              <p className="text-sm text-muted">
                {address} · {t("profile.lastUsed")} <Time ms={Date.parse(lastUsedAt)} />
              </p>
            </div>
            {isCurrent ? (
              <Badge tone="accent">{t("profile.thisOne")}</Badge>
            ) : (
              <Button isSmall isBusy={isBusy} onClick={() => run(sessionId)}>
                {t("profile.end")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {shown.length > 1 && (
        <Button isBusy={isBusy} className="self-start" onClick={() => run(null)}>
          {t("profile.endOthers")}
        </Button>
      )}
    </div>
  );
}
