import type { UseQueryResult } from "@tanstack/react-query";
import type { Zoetrope } from "@zoetrope/sdk";
import type { ListKeysAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { meQuery } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Secret } from "../../components/copy-button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { Loaded } from "../operations/loaded.tsx";
import { Step } from "./step.tsx";

interface Props {
  /** null: there is no account yet. */
  keys: UseQueryResult<ListKeysAnswer> | null;
  through: Zoetrope | null;
  /** A test key costs nothing, where a vendor account serves test keys. */
  mode: "live" | "test";
  isOwner: boolean;
}

export function KeyStep({ keys, through, mode, isOwner }: Props) {
  const { t } = useTranslation("start");
  const [made, setMade] = useState<string | null>(null);
  const { run, isBusy, error } = useAction(async () => {
    if (through === null) return;
    const { key } = await through.keys.create({ name: t("key.name"), mode });
    setMade(key);
    await keys?.refetch();
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey }); // the first test key opens the test account
  });
  const live = keys?.data?.items.filter(({ status }) => status === "live") ?? [];
  const isDone = keys === null ? false : keys.data === undefined ? null : live.length > 0;
  return (
    <Step title={t("key.title")} about={t(`key.about.${mode}`)} isDone={isDone}>
      {made !== null && <Secret value={made} about={t("key.once")} />}
      {keys === null ? (
        <p className="text-muted">{t("needsAccount")}</p>
      ) : (
        <Loaded query={keys} className="h-9">
          {() => (
            <div className="mt-3 flex flex-wrap items-center gap-3">
              {live[0] !== undefined && (
                <span className="font-mono text-sm">
                  {live[0].name} · {live[0].hint}…
                </span>
              )}
              {live.length === 0 && isOwner && (
                <Button variant="primary" isBusy={isBusy} onClick={() => run()}>
                  {t(`key.make.${mode}`)}
                </Button>
              )}
              {live.length === 0 && !isOwner && <p className="text-muted">{t("key.notOwner")}</p>}
            </div>
          )}
        </Loaded>
      )}
      {error !== null && <ErrorPanel error={error} />}
    </Step>
  );
}
