import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/panel.tsx";
import { AssetFilterBar } from "../features/assets/asset-filters.tsx";
import { fileLimit } from "../features/assets/file-type.ts";
import { Library } from "../features/assets/library.tsx";
import { addUploads } from "../features/assets/send-uploads.ts";
import { UploadDialog } from "../features/assets/upload-dialog.tsx";
import { UploadList } from "../features/assets/upload-list.tsx";
import { UrlDialog } from "../features/assets/url-dialog.tsx";
import { useIncomingFiles } from "../features/assets/use-incoming-files.ts";
import { useUploads } from "../features/assets/use-uploads.ts";
import { useFilters } from "../lib/filters.ts";

const defaults = { type: "", status: "", name: "", open: "" };

export function AssetsPage() {
  const { t } = useTranslation(["assets", "frame"]);
  const { account } = useAccount();
  const queries = useQueryClient();
  const [{ open, ...filters }, change] = useFilters(defaults);
  const { uploads, sending } = useUploads();
  const picker = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [hasUrl, setUrl] = useState(false);
  const mayWrite = account.role !== "viewer";
  const add = (more: File[]) => setFiles((before) => [...before, ...more]);
  const choose = () => picker.current?.click();
  const isOver = useIncomingFiles(mayWrite && !hasUrl, add);
  const about = t("rules", { size: fileLimit });
  return (
    <Page
      title={t("frame:pages.assets")}
      about={mayWrite ? about : undefined}
      actions={
        mayWrite && (
          <>
            <Button onClick={() => setUrl(true)}>
              <Icon name="link" />
              {t("fromUrl")}
            </Button>
            <Button variant="primary" onClick={choose}>
              <Icon name="upload" />
              {t("upload")}
            </Button>
          </>
        )
      }
    >
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("upload")}
        accept="image/*,video/*,audio/*"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = ""; // the same file can be chosen again
        }}
      />
      <UploadList uploads={uploads} sending={sending} onContinue={choose} />
      <AssetFilterBar filters={filters} onChange={(next) => change(next, { replace: true })} />
      <Library filters={filters} openId={open} onOpen={(id) => change({ open: id })}>
        {mayWrite ? t("emptyAbout") : t("emptyViewer")}
      </Library>
      {isOver && (
        <div className="pointer-events-none fixed inset-4 z-40 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft text-xl font-semibold text-accent-strong">
          {t("dropHere")}
        </div>
      )}
      {files.length > 0 && (
        <UploadDialog
          files={files}
          onChoose={setFiles}
          onClose={() => setFiles([])}
          onUpload={(wanted) => {
            addUploads(uploads, wanted);
            setFiles([]);
          }}
        />
      )}
      {hasUrl && (
        <UrlDialog
          onClose={() => setUrl(false)}
          onDone={() => {
            setUrl(false);
            void queries.invalidateQueries({ queryKey: [account.accountId, "assets"] });
          }}
        />
      )}
    </Page>
  );
}
