import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Card } from "../features/sign-in/card.tsx";
import { DropZone } from "../features/verify/drop-zone.tsx";
import { Finding } from "../features/verify/finding.tsx";
import { sendBytesMax } from "../features/verify/send-file.ts";
import { type Check, useCheck } from "../features/verify/use-check.ts";
import { formatBytes } from "../lib/format.ts";
import { useDropGuard } from "../lib/use-drop-guard.ts";

/** Anybody checks whether a file was made here. It is sent only after the person has agreed. */
export function VerifyPage() {
  const { t } = useTranslation("verify");
  const { check, hash, send, reset } = useCheck();
  useDropGuard();
  return (
    <Card title={t("title")}>
      {check.state === "idle" ? (
        <>
          <p className="text-muted">{t("about")}</p>
          <DropZone onFile={hash} />
        </>
      ) : (
        <>
          <p className="text-sm text-muted">
            <bdi className="break-words">{check.file.name}</bdi> · {formatBytes(check.file.size)}
          </p>
          <Step check={check} onSend={send} onHash={hash} />
          <Button onClick={reset}>{t(isRunning(check) ? "cancel" : "another")}</Button>
        </>
      )}
    </Card>
  );
}

const isRunning = ({ state }: Check) => state === "hashing" || state === "sending";

interface StepProps {
  check: Exclude<Check, { state: "idle" }>;
  onSend(file: File): void;
  onHash(file: File): void;
}

function Step({ check, onSend, onHash }: StepProps) {
  const { t } = useTranslation("verify");
  switch (check.state) {
    case "hashing":
      return <Progress share={check.share} label={t("hashing")} />;
    case "sending":
      return <Progress share={check.share} label={t(check.share < 1 ? "sending" : "opening")} />;
    case "unknown":
      return <Offer check={check} onSend={onSend} />;
    case "done":
      return <Finding found={check.found} />;
    case "failed":
      return (
        <ErrorPanel
          error={check.error}
          onRetry={() => (check.at === "send" ? onSend : onHash)(check.file)}
        />
      );
  }
}

function Progress({ share, label }: { share: number; label: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p role="status">{label}</p>
      <progress aria-label={label} value={share} max={1} className="w-full" />
    </div>
  );
}

function Offer({
  check: { file, sha256 },
  onSend,
}: {
  check: Extract<Check, { state: "unknown" }>;
  onSend(file: File): void;
}) {
  const { t } = useTranslation("verify");
  const isTooLarge = file.size > sendBytesMax;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="font-medium">
        {t(sha256 === null ? "notHashed" : "notFound")}
      </p>
      <p className="text-muted">{t(isTooLarge ? "tooLarge" : "offer")}</p>
      {!isTooLarge && (
        <Button variant="primary" onClick={() => onSend(file)}>
          {t("send")}
        </Button>
      )}
      {sha256 !== null && <p className="text-sm break-all text-muted">SHA-256 {sha256}</p>}
    </div>
  );
}
