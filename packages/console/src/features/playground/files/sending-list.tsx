import { ZoetropeError } from "@zoetrope/sdk";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { formatBytes } from "../../../lib/format.ts";
import { sentenceOf } from "../../../lib/sentence-of.ts";
import type { Media } from "../form/read-forms.ts";
import type { Sending } from "./use-uploads.ts";

interface Props {
  media: Media;
  sending: readonly Sending[];
  onAgain(one: Sending): void;
  onDrop(id: number): void;
}

export function SendingList({ media, sending, onAgain, onDrop }: Props) {
  const { t } = useTranslation("playground");
  const reasonOf = ({ fault, error }: Sending) => {
    if (fault === "type") return t("files.wrongType", { types: typesOf(media) });
    if (fault === "size") return t("files.tooLarge", { max: formatBytes(media.sizeBytesMax ?? 0) });
    if (error instanceof ZoetropeError) return sentenceOf(error);
    return t("files.refused", { reason: error instanceof Error ? error.message : "" });
  };
  return (
    <ul className="flex flex-col gap-1.5" aria-live="polite">
      {sending.map((one) => (
        <li key={one.id} className="flex items-center gap-2 rounded-md border border-line p-2">
          <div className="min-w-0 flex-1">
            <p className="truncate">
              <bdi>{one.file.name}</bdi>{" "}
              <span className="text-sm text-muted">{formatBytes(one.file.size)}</span>
            </p>
            {one.state === "failed" ? (
              <p className="text-sm text-bad">{reasonOf(one)}</p>
            ) : (
              <>
                <div
                  role="progressbar"
                  aria-label={one.file.name}
                  aria-valuenow={Math.round(one.share * 100)}
                  className="mt-1 h-1.5 overflow-hidden rounded bg-sunken"
                >
                  <div className="h-full bg-accent" style={{ width: `${one.share * 100}%` }} />
                </div>
                {one.state === "review" && (
                  <p className="text-sm text-muted">{t("files.review")}</p>
                )}
              </>
            )}
          </div>
          {one.state === "failed" && one.fault === null && (
            <Button isSmall onClick={() => onAgain(one)}>
              {t("files.again")}
            </Button>
          )}
          <IconButton
            isSmall
            className="w-7"
            label={one.state === "failed" ? t("files.remove") : t("files.stop")}
            onClick={() => onDrop(one.id)}
          >
            <Icon name="close" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Returns the names of file types, such as JPEG, PNG. */
export function typesOf({ mediaTypes }: Media): string {
  const names = mediaTypes.map((type) => type.split("/")[1] ?? type);
  return names.map((name) => (name === "quicktime" ? "MOV" : name.toUpperCase())).join(", ");
}
