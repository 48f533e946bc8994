import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatBytes } from "../../lib/format.ts";
import { useAction } from "../../lib/use-action.ts";
import { saveFile } from "./download.ts";
import { fileNameOf, type MediaFile } from "./item.ts";

interface Props {
  taskId: string;
  index: number;
  file: MediaFile;
}

export function DownloadButton({ taskId, index, file }: Props) {
  const { t } = useTranslation("gallery");
  const { run, isBusy } = useAction(async () => {
    const name = fileNameOf(taskId, index, file);
    await saveFile({ name, file }, new AbortController().signal).catch(() =>
      toast(t("download.failed")),
    );
  });
  return (
    <Button isBusy={isBusy} onClick={run}>
      {!isBusy && <Icon name="download" />}
      {t("download.one", { size: formatBytes(file.sizeBytes) })}
    </Button>
  );
}
