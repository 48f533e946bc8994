import { useQuery } from "@tanstack/react-query";
import type { ReadDeliveryAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Code, CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { Attempts } from "./attempts.tsx";
import { deliveryQuery } from "./queries.ts";
import { RedeliverButton } from "./redeliver.tsx";

interface Props {
  deliveryId: string;
  onClose(): void;
}

export function DeliveryDialog({ deliveryId, onClose }: Props) {
  const { t } = useTranslation("developers");
  const through = useAccount();
  const { data, error, isPending, refetch } = useQuery(deliveryQuery(through, deliveryId));
  return (
    <Dialog title={t("deliveries.details")} isOpen isWide onClose={onClose}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {isPending && <Spinner />}
      {data !== undefined && <Details delivery={data} />}
      {data !== undefined && through.account.role !== "viewer" && data.outcome !== "pending" && (
        <div>
          <RedeliverButton deliveryId={deliveryId} onQueued={onClose} />
        </div>
      )}
    </Dialog>
  );
}

function Details({ delivery }: { delivery: ReadDeliveryAnswer }) {
  const { t } = useTranslation("developers");
  return (
    <>
      <p className="break-all">
        {t("deliveries.to")} <Code>{delivery.url}</Code>
      </p>
      <p>
        webhook-id <Code>{delivery.webhookId}</Code>
      </p>
      <h3 className="font-medium">{t("deliveries.attempts")}</h3>
      <Attempts delivery={delivery} />
      <div className="flex items-center justify-between">
        <h3 className="font-medium">{t("deliveries.body")}</h3>
        <CopyButton text={delivery.body} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto rounded bg-sunken p-3 text-sm whitespace-pre-wrap"
      >
        {indent(delivery.body)}
      </pre>
    </>
  );
}

/** The copy has the exact bytes; what is read is indented. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
