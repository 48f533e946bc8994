import { useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icon.tsx";

/** A place for one file, which is dropped, or chosen by a click or the keyboard. */
export function DropZone({ onFile }: { onFile(file: File): void }) {
  const { t } = useTranslation("verify");
  const [isOver, setOver] = useState(false);
  return (
    <label
      className={classNames(
        "flex cursor-pointer flex-col items-center gap-2 rounded-lg border-2 border-dashed p-8 text-center focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-sunken",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onFile(file);
      }}
    >
      <Icon name="upload" />
      <span className="font-medium">{t("choose")}</span>
      <span className="text-sm text-muted">{t("chooseAbout")}</span>
      <input
        type="file"
        className="sr-only"
        aria-label={t("choose")}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = ""; // the same file can be chosen again
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
