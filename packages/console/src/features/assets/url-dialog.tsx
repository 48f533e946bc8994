import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useAction } from "../../lib/use-action.ts";
import { DeclarationFields, isComplete } from "./declaration-fields.tsx";
import { type AssetType, assetTypes, fileLimit, typeOfFile } from "./file-type.ts";
import type { Declared } from "./uploads.ts";

/** The service fetches the file; nothing is loaded into this page. */
export function UrlDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const { t } = useTranslation(["assets", "frame"]);
  const { client } = useAccount();
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<AssetType | null>(null);
  const [name, setName] = useState("");
  const [declared, setDeclared] = useState<Declared | null>(null);
  const type = chosen ?? typeOfFile({ type: "", name: url.split(/[?#]/)[0] ?? "" }) ?? "IMAGE";
  const { run, isBusy, error } = useAction(async () => {
    const form = declared?.form ?? null;
    const formUploadId = form === null ? null : await client.assets.uploadForm(form);
    const declaration = declared && {
      people: declared.people,
      purpose: declared.purpose,
      formUploadId,
    };
    await client.assets.fetchUrl(url.trim(), type, {
      name: name.trim() === "" ? undefined : name.trim(),
      declaration: declaration ?? undefined,
    });
    onDone();
  });
  return (
    <Dialog
      title={t("urlTitle")}
      about={t("urlAbout", { size: fileLimit })}
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={run}>
        <TextField
          label={t("url")}
          type="url"
          required
          maxLength={4096}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <SelectField
          label={t("typeLabel")}
          value={type}
          onChange={(event) => setChosen(event.target.value as AssetType)}
        >
          {assetTypes.map((one) => (
            <option key={one} value={one}>
              {t(`type.${one}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("nameOptional")}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <DeclarationFields declared={declared} onChange={setDeclared} />
        {error !== null && <ErrorPanel error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("frame:cancel")}</Button>
          <Button
            type="submit"
            variant="primary"
            isBusy={isBusy}
            disabled={url.trim() === "" || !isComplete(declared)}
          >
            {t("fetch")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
