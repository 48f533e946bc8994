import { useQueryClient } from "@tanstack/react-query";
import type { DeliverAgainAnswer, DeliverAgainBody } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { CheckField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { post } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

function useRedeliver(onQueued: (answer: DeliverAgainAnswer) => void) {
  const { t } = useTranslation("developers");
  const { account, client } = useAccount();
  const cache = useQueryClient();
  return useAction(async (body: DeliverAgainBody) => {
    const answer = await post<DeliverAgainAnswer>(client, "/api/v1/webhooks/again", body);
    toast(t("deliveries.redelivered", { count: answer.queued }));
    onQueued(answer);
    await cache.invalidateQueries({ queryKey: [account.accountId, "deliveries"] });
  });
}

interface OneProps {
  deliveryId: string;
  onQueued(): void;
}

export function RedeliverButton({ deliveryId, onQueued }: OneProps) {
  const { t } = useTranslation("developers");
  const { run, isBusy, error } = useRedeliver(onQueued);
  return (
    <>
      <Button isSmall isBusy={isBusy} onClick={() => run({ deliveryId })}>
        {t("deliveries.redeliver")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}

interface RangeProps {
  endpointId: string;
  onClose(): void;
}

/** `datetime-local` of the person's own zone. */
const localTime = (ms: number) =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export function RangeDialog({ endpointId, onClose }: RangeProps) {
  const { t } = useTranslation("developers");
  const [from, setFrom] = useState(() => localTime(Date.now() - 86_400_000));
  const [until, setUntil] = useState(() => localTime(Date.now() + 60_000));
  const [isFailedOnly, setFailedOnly] = useState(true);
  const [isMore, setMore] = useState(false);
  const { run, isBusy, error } = useRedeliver((answer) =>
    answer.isMore ? setMore(true) : onClose(),
  );
  const submit = () =>
    run({
      from: new Date(from).toISOString(),
      to: new Date(until).toISOString(),
      ...(isFailedOnly ? { outcome: "failed" as const } : {}),
      ...(endpointId === "" ? {} : { endpointId }),
    });
  return (
    <Dialog
      title={t("deliveries.range")}
      about={t("deliveries.rangeAbout")}
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={submit}>
        <TextField
          label={t("deliveries.from")}
          type="datetime-local"
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          label={t("deliveries.until")}
          type="datetime-local"
          required
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
        <CheckField
          label={t("deliveries.failedOnly")}
          checked={isFailedOnly}
          onChange={({ target }) => setFailedOnly(target.checked)}
        />
        {isMore && <Notice tone="warn">{t("deliveries.more")}</Notice>}
        {error !== null && <ErrorPanel error={error} />}
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t("deliveries.redeliver")}
        </Button>
      </Form>
    </Dialog>
  );
}
