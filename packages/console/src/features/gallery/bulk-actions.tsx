import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { formatBytes } from "../../lib/format.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { filesOf, saveFile } from "./download.ts";
import { factsOf, type Task, withoutMedia } from "./item.ts";

interface Props {
  tasks: readonly Task[];
  onClear(): void;
  onChanged(tasks: readonly Task[]): void;
}

/** The actions for the selected tasks. */
export function BulkActions({ tasks, onClear, onChanged }: Props) {
  const { t } = useTranslation("gallery");
  const { account } = useAccount();
  const [open, setOpen] = useState<"download" | "delete" | null>(null);
  const close = () => setOpen(null);
  const files = filesOf(tasks);
  return (
    <section
      aria-label={t("bulk.label")}
      className="sticky bottom-4 z-10 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised p-2 shadow-lg"
    >
      <p aria-live="polite" className="px-2 font-medium">
        {t("bulk.selected", { count: tasks.length })}
      </p>
      <Button onClick={() => setOpen("download")} disabled={files.length === 0}>
        <Icon name="download" />
        {t("bulk.download")}
      </Button>
      {account.role !== "viewer" && (
        <Button variant="danger" onClick={() => setOpen("delete")} disabled={files.length === 0}>
          <Icon name="delete" />
          {t("bulk.delete")}
        </Button>
      )}
      <Button variant="quiet" onClick={onClear}>
        {t("bulk.clear")}
      </Button>
      {open === "download" && <DownloadDialog tasks={tasks} onClose={close} />}
      {open === "delete" && <DeleteDialog tasks={tasks} onClose={close} onChanged={onChanged} />}
    </section>
  );
}

function DownloadDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose(): void }) {
  const { t } = useTranslation("gallery");
  const [files] = useState(() => filesOf(tasks));
  const size = formatBytes(files.reduce((sum, { file }) => sum + file.sizeBytes, 0));
  return (
    <BulkDialog
      title={t("bulk.downloadTitle")}
      effect={<p>{t("bulk.downloadEffect", { count: files.length, size })}</p>}
      action={t("bulk.download")}
      variant="primary"
      jobs={files}
      work={saveFile}
      onDone={() => {}}
      onClose={onClose}
    />
  );
}

interface DeleteProps {
  tasks: readonly Task[];
  onClose(): void;
  onChanged(tasks: readonly Task[]): void;
}

/** Deleting media ends its links for everybody; the record and the charge stay. */
export function DeleteDialog({ tasks, onClose, onChanged }: DeleteProps) {
  const { t } = useTranslation("gallery");
  const { client } = useAccount();
  const [jobs] = useState(() => tasks.filter((task) => filesOf([task]).length > 0));
  const [running] = useState(() => tasks.filter((task) => factsOf(task).endedAt === null).length);
  const files = filesOf(jobs).length;
  const others = tasks.length - jobs.length - running;
  return (
    <BulkDialog
      title={t("remove.title")}
      effect={
        <ul className="list-disc space-y-1 pl-5">
          <li>{t("remove.files", { count: files })}</li>
          <li>{t("remove.links")}</li>
          <li>{t("remove.stays")}</li>
          {running > 0 && <li>{t("remove.running", { count: running })}</li>}
          {others > 0 && <li>{t("remove.others", { count: others })}</li>}
        </ul>
      }
      action={t("remove.action", { count: files })}
      variant="danger"
      jobs={jobs}
      work={async ({ taskId }, signal) => {
        await client.tasks.deleteMedia(taskId, { signal });
      }}
      onDone={(done) => onChanged(done.map(withoutMedia))}
      onClose={onClose}
    />
  );
}
