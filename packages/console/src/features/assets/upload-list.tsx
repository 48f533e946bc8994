import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatBytes } from "../../lib/format.ts";
import { pauseUpload, removeUpload, resumeUpload } from "./send-uploads.ts";
import type { Sending, Uploads } from "./uploads.ts";

interface Props {
  uploads: Uploads;
  sending: readonly Sending[];
  /** Asks for the file of an upload that was begun before a reload. */
  onContinue(): void;
}

/** The uploads in progress and those that can be resumed. */
export function UploadList({ uploads, sending, onContinue }: Props) {
  const { t } = useTranslation("assets");
  if (sending.length === 0) return null;
  const over = sending.filter(({ status }) => status === "done");
  return (
    <Panel
      title={t("uploads")}
      actions={
        over.length > 0 && (
          <Button
            isSmall
            onClick={() => {
              for (const { id } of over) removeUpload(uploads, id);
            }}
          >
            {t("clearDone")}
          </Button>
        )
      }
    >
      <ul className="flex flex-col gap-3">
        {sending.map((one) => (
          <Row key={one.id} {...{ uploads, one, onContinue }} />
        ))}
      </ul>
    </Panel>
  );
}

interface RowProps {
  uploads: Uploads;
  one: Sending;
  onContinue(): void;
}

function Row({ uploads, one, onContinue }: RowProps) {
  const { t } = useTranslation("assets");
  const { id, name, size, status, share, error } = one;
  const percent = Math.floor(share * 100);
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-40 truncate" dir="auto" title={name}>
          {name}
        </span>
        <span className="text-sm text-muted">
          {formatBytes(size)} · <span role="status">{t(`sending.${status}`, { percent })}</span>
        </span>
        {(status === "sending" || status === "waiting") && (
          <Button
            isSmall
            aria-label={t("pauseOf", { name })}
            onClick={() => pauseUpload(uploads, id)}
          >
            {t("pause")}
          </Button>
        )}
        {status === "paused" && (
          <Button
            isSmall
            aria-label={t("resumeOf", { name })}
            onClick={() => resumeUpload(uploads, id)}
          >
            {t("resume")}
          </Button>
        )}
        {status === "unfinished" && (
          <Button isSmall aria-label={t("continueOf", { name })} onClick={onContinue}>
            {t("continue")}
          </Button>
        )}
        {status !== "done" && (
          <Button
            isSmall
            aria-label={t("abortOf", { name })}
            onClick={() => removeUpload(uploads, id)}
          >
            {t("abort")}
          </Button>
        )}
      </div>
      {status !== "unfinished" && status !== "done" && (
        <div
          role="progressbar"
          aria-label={t("progressOf", { name })}
          aria-valuenow={percent}
          className="h-1.5 overflow-hidden rounded-full bg-sunken"
        >
          <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
        </div>
      )}
      {status === "unfinished" && <p className="text-sm text-muted">{t("unfinishedAbout")}</p>}
      {status === "failed" && (
        <ErrorPanel error={error} onRetry={() => resumeUpload(uploads, id)} />
      )}
    </li>
  );
}
