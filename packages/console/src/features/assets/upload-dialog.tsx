import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Badge } from "../../components/badge.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { CheckField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { formatBytes } from "../../lib/format.ts";
import { DeclarationFields, isComplete } from "./declaration-fields.tsx";
import { FileRules } from "./file-rules.tsx";
import { faultOf, fileLimit, typeOfFile } from "./file-type.ts";
import { findKept } from "./kept-uploads.ts";
import type { Declared, Wanted } from "./uploads.ts";

interface Props {
  files: readonly File[];
  /** The declaration is asked for from the beginning. */
  showsPeople?: boolean;
  onChoose(files: File[]): void;
  onClose(): void;
  onUpload(wanted: Wanted[]): void;
}

/** Shows the files to be sent, the rules and the declaration before anything is sent. */
export function UploadDialog({ files, showsPeople = false, onChoose, onClose, onUpload }: Props) {
  const { t } = useTranslation(["assets", "frame"]);
  const { account } = useAccount();
  const resumed = files.map((file) => findKept(account.accountId, file));
  const [declared, setDeclared] = useState<Declared | null>(
    showsPeople || resumed.some((kept) => kept?.hasDeclaration)
      ? { people: "", purpose: "", form: null }
      : null,
  );
  const [hasRules, setRules] = useState(false);
  const [chosen, setChosen] = useState<ReadonlyMap<File, boolean>>(new Map());
  const usable = files.flatMap((file, at) => {
    const type = typeOfFile(file);
    if (type === null || faultOf(file) !== null) return [];
    return [{ file, type, uploadId: resumed[at]?.uploadId ?? null }];
  });
  const isDeclared = ({ file, type }: (typeof usable)[number]) =>
    usable.length === 1 || (chosen.get(file) ?? type !== "AUDIO");
  const wanted = usable.map(
    (one): Wanted => ({ ...one, declared: isDeclared(one) ? declared : null }),
  );
  return (
    <Dialog
      title={t("uploadTitle")}
      about={t("rules", { size: fileLimit })}
      isOpen
      isWide
      onClose={onClose}
    >
      <ul className="flex max-h-60 flex-col gap-1 overflow-auto">
        {files.map((file, at) => (
          <FileRow
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            isResumed={resumed[at] != null}
            onRemove={() => onChoose(files.filter((one) => one !== file))}
          />
        ))}
      </ul>
      <details onToggle={(event) => event.currentTarget.open && setRules(true)}>
        <summary className="min-h-6 cursor-pointer">{t("rulesOfModels")}</summary>
        <p className="my-2 text-sm text-muted">{t("rulesOfModelsAbout")}</p>
        {hasRules && <FileRules />}
      </details>
      <DeclarationFields declared={declared} onChange={setDeclared} />
      {declared !== null && usable.length > 1 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-semibold">{t("declaredFiles")}</legend>
          {usable.map((one) => (
            <CheckField
              key={`${one.file.name} ${one.file.size} ${one.file.lastModified}`}
              label={one.file.name}
              checked={isDeclared(one)}
              onChange={({ target }) =>
                setChosen((before) => new Map(before).set(one.file, target.checked))
              }
            />
          ))}
        </fieldset>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("frame:cancel")}</Button>
        <Button
          variant="primary"
          disabled={wanted.length === 0 || !isComplete(declared)}
          onClick={() => onUpload(wanted)}
        >
          {t("uploadFiles", { count: wanted.length })}
        </Button>
      </div>
    </Dialog>
  );
}

interface RowProps {
  file: File;
  isResumed: boolean;
  onRemove(): void;
}

function FileRow({ file, isResumed, onRemove }: RowProps) {
  const { t } = useTranslation("assets");
  const fault = faultOf(file);
  const type = typeOfFile(file);
  return (
    <li className="flex items-center gap-2 rounded-md border border-line p-2">
      <span className="min-w-0 flex-1 truncate" dir="auto" title={file.name}>
        {file.name}
      </span>
      {fault !== null && <Badge tone="bad">{t(`fault.${fault}`)}</Badge>}
      {isResumed && <Badge tone="accent">{t("resumes")}</Badge>}
      {type !== null && <span className="text-sm text-muted">{t(`type.${type}`)}</span>}
      <span className="text-sm text-muted">{formatBytes(file.size)}</span>
      <IconButton
        label={t("leaveOut", { name: file.name })}
        isSmall
        className="w-7"
        onClick={onRemove}
      >
        <Icon name="close" />
      </IconButton>
    </li>
  );
}
