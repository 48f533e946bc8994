import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ListKeysAnswer, ListTasksAnswer } from "@zoetrope/sdk/answers";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../app/session.tsx";
import { Button } from "../components/button.tsx";
import { Page } from "../components/panel.tsx";
import { vendorsQuery } from "../features/operations/queries.ts";
import { AccountStep } from "../features/start/account-step.tsx";
import { skipStart } from "../features/start/first-start.ts";
import { KeyStep } from "../features/start/key-step.tsx";
import { VendorStep } from "../features/start/vendor-step.tsx";
import { VideoStep } from "../features/start/video-step.tsx";
import { get, openClient } from "../lib/client.ts";

export function StartPage() {
  const { t } = useTranslation(["start", "frame"]);
  const { me } = useSession();
  const navigate = useNavigate();
  const own = me.accounts.find(({ role }) => role === "owner") ?? me.accounts[0] ?? null;
  const vendors = useQuery(vendorsQuery);
  const servesTest = vendors.data?.items.some(({ isTest, state }) => isTest && state === "open");
  const videoAccount = own?.testAccountId ?? own?.accountId ?? null;
  const through = useMemo(() => (own === null ? null : openClient(own.accountId)), [own]);
  const keys = useKeys(own?.accountId ?? null);
  const tasks = useTasks(videoAccount);
  return (
    <Page
      title={t("frame:pages.start")}
      about={t("start:about")}
      actions={
        <Button
          onClick={() => {
            skipStart();
            void navigate({ to: "/operations" });
          }}
        >
          {t("start:skip")}
        </Button>
      }
    >
      <ol className="flex flex-col gap-4">
        <VendorStep vendors={vendors} />
        <AccountStep account={own} />
        <KeyStep
          keys={own === null ? null : keys}
          through={through}
          mode={servesTest === true ? "test" : "live"}
          isOwner={own?.role === "owner"}
        />
        <VideoStep
          accountId={videoAccount}
          isTest={own !== null && own.testAccountId !== null}
          tasks={own === null ? null : tasks}
        />
      </ol>
    </Page>
  );
}

function useKeys(accountId: string | null) {
  return useQuery({
    queryKey: [accountId, "start keys"],
    queryFn: ({ signal }) =>
      get<ListKeysAnswer>(openClient(accountId), "/api/v1/account/keys", { limit: 10 }, signal),
    enabled: accountId !== null,
    staleTime: 0,
  });
}

function useTasks(accountId: string | null) {
  return useQuery({
    queryKey: [accountId, "start tasks"],
    queryFn: ({ signal }) =>
      get<ListTasksAnswer>(openClient(accountId), "/api/v1/jobs/list", { limit: 1 }, signal),
    enabled: accountId !== null,
    staleTime: 0,
  });
}
