import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { CheckField } from "../../../components/field.tsx";
import { Icon } from "../../../components/icon.tsx";
import { UploadDialog } from "../../assets/upload-dialog.tsx";
import type { FormField, Media } from "../form/read-forms.ts";
import type { FileRef } from "../form/values.ts";
import { AssetPicker } from "./asset-picker.tsx";
import { takesFile } from "./check-file.ts";
import { FileTiles } from "./file-tiles.tsx";
import { SendingList, typesOf } from "./sending-list.tsx";
import { UrlForm } from "./url-form.tsx";
import { useUploads } from "./use-uploads.ts";

interface Props {
  field: FormField;
  files: readonly FileRef[];
  error?: string | undefined;
  onChange(files: readonly FileRef[] | undefined): void;
  onUploading(count: number): void;
}

export function FilesField(props: Props) {
  return props.field.media === null ? null : <Files {...props} media={props.field.media} />;
}

/** Files by drop, by paste, from the disk, from the library or at a URL, in the order of the person. */
function Files({
  field,
  media,
  files: all,
  error,
  onChange,
  onUploading,
}: Props & { media: Media }) {
  const { t } = useTranslation("playground");
  const id = useId();
  const files = all.slice(0, media.countMax);
  const current = useRef(files);
  current.current = files;
  const add = (file: FileRef) => {
    if (current.current.some(({ url }) => url === file.url)) return;
    current.current = [...current.current, file].slice(-media.countMax);
    onChange(current.current);
  };
  const { sending, send, again, drop } = useUploads(media, add);
  const active = sending.filter(({ state }) => state !== "failed").length;
  const latestOnUploading = useRef(onUploading);
  latestOnUploading.current = onUploading;
  useEffect(() => latestOnUploading.current(active), [active]);
  useEffect(() => () => latestOnUploading.current(0), []);
  const [showsPeople, setShowsPeople] = useState(false);
  const [undeclared, setUndeclared] = useState<readonly File[]>([]);
  const take = (files: readonly File[]) => {
    if (showsPeople) setUndeclared(files);
    else send(files.map((file) => ({ file, declared: null })));
  };
  usePaste(media, take);
  const canAddFiles = files.length + active < media.countMax;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-help`}>
      <legend className="mb-1 font-medium">
        {field.title}{" "}
        <span className="text-sm font-normal text-muted">
          {t("files.count", { count: files.length, max: media.countMax })}
        </span>
      </legend>
      <FileTiles media={media} files={files} onChange={(next) => onChange(next)} />
      <SendingList media={media} sending={sending} onAgain={again} onDrop={drop} />
      {canAddFiles && <DropZone media={media} onFiles={take} onPick={add} chosen={files} />}
      {canAddFiles && media.type !== "audio" && (
        <CheckField
          label={t("files.showPeople")}
          help={t("files.showPeopleHelp")}
          checked={showsPeople}
          onChange={({ target }) => setShowsPeople(target.checked)}
        />
      )}
      {undeclared.length > 0 &&
        // Outside of the form: Enter in a field of the declaration must not start a task.
        createPortal(
          <UploadDialog
            files={undeclared}
            showsPeople
            onChoose={setUndeclared}
            onClose={() => setUndeclared([])}
            onUpload={(wanted) => {
              send(wanted);
              setUndeclared([]);
            }}
          />,
          document.body,
        )}
      <p id={`${id}-help`} className="text-sm text-muted">
        {field.description} {limitsOf(media, t("files.upTo"))}
      </p>
      {error !== undefined && <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  );
}

function limitsOf(media: Media, upTo: string): string {
  const size = media.sizeBytesMax ?? 0;
  const parts = [typesOf(media)];
  if (size > 0) parts.push(`${upTo} ${Math.round(size / 1_048_576)} MB`);
  if (media.durationSecondsMax !== undefined) parts.push(`${upTo} ${media.durationSecondsMax} s`);
  return `${parts.join(" · ")}.`;
}

interface ZoneProps {
  media: Media;
  chosen: readonly FileRef[];
  onFiles(files: readonly File[]): void;
  onPick(file: FileRef): void;
}

function DropZone({ media, chosen, onFiles, onPick }: ZoneProps) {
  const { t } = useTranslation("playground");
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of several ways; the buttons inside are for all
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classNames(
        "flex flex-col items-center gap-2 rounded-lg border border-dashed p-4 text-center",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong",
      )}
    >
      <p className="text-muted">{t("files.drop")}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <label
          htmlFor={id}
          className={classNames(
            buttonClass("plain", true),
            "cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent",
          )}
        >
          <Icon name="upload" />
          {t("files.choose")}
          <input
            id={id}
            type="file"
            multiple={media.countMax > 1}
            accept={media.mediaTypes.join(",")}
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
            className="sr-only"
          />
        </label>
        <Button isSmall onClick={() => setPicking(true)}>
          <Icon name="asset" />
          {t("files.library")}
        </Button>
      </div>
      {media.sources.some((source) => source !== "asset") && (
        <UrlForm sources={media.sources} onAdd={(url) => onPick({ url, name: null })} />
      )}
      <AssetPicker
        {...{ media, chosen, onPick }}
        isOpen={isPicking}
        onClose={() => setPicking(false)}
      />
    </div>
  );
}

/** Pasted files go to the first input that takes them. */
function usePaste(media: Media, send: (files: readonly File[]) => void): void {
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])].filter((file) =>
        takesFile(media, file),
      );
      if (event.defaultPrevented || files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [media]);
}
