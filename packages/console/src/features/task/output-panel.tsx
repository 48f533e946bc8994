import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatSeconds, formatTime } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { DeleteDialog } from "../gallery/bulk-actions.tsx";
import { DownloadButton } from "../gallery/download-button.tsx";
import { factsOf, isKept, keptFiles, type MediaFile, type Task } from "../gallery/item.ts";
import { Player } from "../gallery/player.tsx";

/** The output of the task, or its progress. */
export function OutputPanel({ task, onChanged }: { task: Task; onChanged(task: Task): void }) {
  const { t } = useTranslation("gallery");
  const { account } = useAccount();
  const [isDeleting, setDeleting] = useState(false);
  const { files, status, progress } = factsOf(task);
  const mayDelete = account.role !== "viewer" && keptFiles(task).length > 0;
  return (
    <Panel
      title={t("task.output")}
      actions={
        mayDelete && (
          <Button isSmall variant="danger" onClick={() => setDeleting(true)}>
            <Icon name="delete" />
            {t("remove.short")}
          </Button>
        )
      }
    >
      {files.length === 0 && (
        <div aria-live="polite" className="flex flex-col gap-2 text-muted">
          <p>{status === "FAILED" ? t("failure.title") : t("task.noOutput")}</p>
          {progress !== null && (
            <p className="flex items-center gap-2">
              <progress aria-label={t("status.PROCESSING")} value={progress} max={100} />
              {progress} %
            </p>
          )}
        </div>
      )}
      <div className="flex flex-col gap-4">
        {files.map((file, index) => (
          <Output
            key={file.url}
            taskId={task.taskId}
            model={task.model}
            index={index}
            file={file}
          />
        ))}
      </div>
      {isDeleting && (
        <DeleteDialog
          tasks={[task]}
          onChanged={([changed]) => changed !== undefined && onChanged(changed)}
          onClose={() => setDeleting(false)}
        />
      )}
    </Panel>
  );
}

interface OutputProps {
  taskId: string;
  model: string;
  index: number;
  file: MediaFile;
}

function Output({ taskId, model, index, file }: OutputProps) {
  const { t } = useTranslation("gallery");
  const { width, height, durationSeconds, expiresAt, labels } = file;
  const canBeHad = isKept(file);
  return (
    <div className="flex flex-col gap-2">
      <Player
        file={file}
        label={`${modelTitle(model)} ${taskId}`}
        className="mx-auto rounded-md [inline-size:min(100%,calc(70vh*var(--shape)))]"
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted">
          {`${width} × ${height}`}
          {durationSeconds !== null && ` · ${formatSeconds(durationSeconds)}`}
          {labels.map((label) => ` · ${t(`task.labels.${label}`)}`)}
          {canBeHad && expiresAt !== null && (
            <> · {t("task.expires", { time: formatTime(expiresAt) })}</>
          )}
        </p>
        {canBeHad && <DownloadButton taskId={taskId} index={index} file={file} />}
      </div>
    </div>
  );
}
