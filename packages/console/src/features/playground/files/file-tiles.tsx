import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import type { Media } from "../form/read-forms.ts";
import type { FileRef } from "../form/values.ts";

interface Props {
  media: Media;
  files: readonly FileRef[];
  onChange(files: readonly FileRef[]): void;
}

/** The chosen files in their order, with the names of their places. */
export function FileTiles({ media, files, onChange }: Props) {
  const { t } = useTranslation("playground");
  if (files.length === 0) return null;
  const without = (at: number) => files.filter((_, other) => other !== at);
  const earlier = (at: number) => {
    const moved = files[at];
    return moved === undefined ? files : without(at).toSpliced(at - 1, 0, moved);
  };
  return (
    <ol className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2">
      {files.map((file, at) => (
        <li key={file.url} className="min-w-0 overflow-hidden rounded-md border border-line">
          <Preview media={media} file={file} />
          <div className="flex items-center gap-1 p-1 text-xs">
            <span className="min-w-0 flex-1 truncate" title={file.name ?? file.url}>
              {media.titles?.[at] ?? <bdi>{file.name ?? lastPart(file.url)}</bdi>}
            </span>
            {at > 0 && (
              <IconButton
                isSmall
                className="h-6 w-6"
                label={t("files.earlier", { number: at + 1 })}
                onClick={() => onChange(earlier(at))}
              >
                <Icon name="left" />
              </IconButton>
            )}
            <IconButton
              isSmall
              className="h-6 w-6"
              label={t("files.removeOne", { number: at + 1 })}
              onClick={() => onChange(without(at))}
            >
              <Icon name="close" />
            </IconButton>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Returns the part of a URL that people recognize a file by. */
function lastPart(url: string): string {
  return (
    url
      .split(/[?#]/)[0]
      ?.split("/")
      .findLast((part) => part !== "") ?? url
  );
}

/**
 * A preview of a file that this page has itself. A URL of somebody else is not loaded: its host
 * would learn who looks.
 */
function Preview({ media, file: { previewUrl } }: { media: Media; file: FileRef }) {
  const [isBroken, setBroken] = useState(false);
  const previewClass = "aspect-video w-full bg-sunken object-cover";
  if (!previewUrl || isBroken)
    return (
      <div className="flex aspect-video items-center justify-center bg-sunken text-muted">
        <Icon name={media.type === "image" ? "asset" : "play"} className="size-6" />
      </div>
    );
  return media.type === "image" ? (
    <img src={previewUrl} alt="" onError={() => setBroken(true)} className={previewClass} />
  ) : (
    <video src={previewUrl} muted preload="metadata" tabIndex={-1} className={previewClass} />
  );
}
