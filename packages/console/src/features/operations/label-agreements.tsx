import { useQuery } from "@tanstack/react-query";
import type { LabelAgreement, ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { Facts } from "./facts.tsx";
import { useIsOperator } from "./for-staff.tsx";
import { Loaded } from "./loaded.tsx";
import { admin, agreementsPath, agreementsQuery } from "./queries.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { RecordAgreement } from "./record-agreement.tsx";

/** Whether an agreement frees the account from the visible label, and those that have ended. */
export function LabelAgreements({ account }: { account: ReadAccountAnswer }) {
  const { t } = useTranslation("operations");
  const agreements = useQuery(agreementsQuery(account.accountId));
  return (
    <Panel title={t("agreements.title")}>
      <Loaded query={agreements} className="h-32">
        {({ items }) => <Agreements account={account} agreements={items} />}
      </Loaded>
    </Panel>
  );
}

function Agreements({
  account: { accountId, name, state },
  agreements,
}: {
  account: ReadAccountAnswer;
  agreements: readonly LabelAgreement[];
}) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const [open, setOpen] = useState<"record" | "end" | null>(null);
  const close = () => setOpen(null);
  const live = agreements.find(({ endedAt }) => endedAt === null);
  const earlier = agreements.filter(({ endedAt }) => endedAt !== null);
  const verb = live === undefined ? "record" : "end";
  return (
    <div className="flex flex-col items-start gap-3">
      <p>{t(live === undefined ? "agreements.none" : "agreements.live")}</p>
      {live !== undefined && <Agreement agreement={live} />}
      {isOperator && state !== "closed" && (
        <Button onClick={() => setOpen(verb)}>{t(`agreements.${verb}`)}</Button>
      )}
      {earlier.length > 0 && (
        <>
          <h3 className="font-medium">{t("agreements.earlier")}</h3>
          {earlier.map((agreement) => (
            <Agreement key={agreement.agreementId} agreement={agreement} />
          ))}
        </>
      )}
      {open === "record" && <RecordAgreement accountId={accountId} onClose={close} />}
      {open === "end" && live !== undefined && (
        <ReasonDialog
          title={t("agreements.endTitle", { name })}
          effect={t("agreements.endEffect")}
          action={t("agreements.end")}
          onClose={close}
          onConfirm={async (reason) => {
            const path = `${admin}${agreementsPath(accountId)}/${live.agreementId}/end`;
            await post(client, path, { reason });
            await queryClient.invalidateQueries({ queryKey: agreementsQuery(accountId).queryKey });
            toast(t("agreements.endDone"));
          }}
        />
      )}
    </div>
  );
}

function Agreement({ agreement }: { agreement: LabelAgreement }) {
  const { t } = useTranslation("operations");
  const { agreedBy, agreedAt, text, recordedAt, recordedBy, endedAt, endedBy } = agreement;
  const by = (who: LabelAgreement["recordedBy"], ms: number) => (
    <>
      <bdi>{who.name ?? who.id}</bdi> · <Time ms={ms} />
    </>
  );
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <Facts
        facts={[
          [t("agreements.agreedBy"), <bdi key="by">{agreedBy}</bdi>],
          [t("agreements.agreedAt"), <Time key="at" ms={agreedAt} />],
          [t("agreements.recorded"), by(recordedBy, recordedAt)],
          ...(endedAt !== null && endedBy !== null
            ? [[t("agreements.ended"), by(endedBy, endedAt)] as const]
            : []),
        ]}
      />
      <details>
        <summary className="cursor-pointer">{t("agreements.text")}</summary>
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {text}
        </p>
      </details>
    </div>
  );
}
