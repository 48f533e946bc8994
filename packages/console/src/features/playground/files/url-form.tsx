import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/button.tsx";

/** The field for a public URL of a file. It is not a form, because forms do not nest. */
export function UrlForm({
  sources,
  onAdd,
}: {
  sources: readonly string[];
  onAdd(url: string): void;
}) {
  const { t } = useTranslation("playground");
  const [url, setUrl] = useState("");
  const parsed = URL.parse(url.trim());
  // A link of this service to an output is taken however the service is reached.
  const isOwn = parsed?.origin === location.origin && sources.includes("task");
  const isGood = parsed !== null && (isOwn || sources.includes(parsed.protocol.replace(":", "")));
  const add = () => {
    if (!isGood) return;
    onAdd(url.trim());
    setUrl("");
  };
  return (
    <div className="flex w-full max-w-md gap-2">
      <input
        type="url"
        aria-label={t("files.url")}
        placeholder={t("files.urlExample")}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
        className="h-7 min-w-0 flex-1 rounded-md border border-line-strong bg-panel px-2 text-sm"
      />
      <Button isSmall disabled={!isGood} onClick={add}>
        {t("files.add")}
      </Button>
    </div>
  );
}
