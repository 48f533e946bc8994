import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";

const command =
  "zoetrope admin vendors add ark --kind ark --url https://ark.ap-southeast.bytepluses.com/api/v3 --key-file ark.key";

/** Keys of vendors never pass through a browser: a command reads them from a file. */
export function AddVendor() {
  const { t } = useTranslation("operations");
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-muted">{t("vendors.addAbout")}</p>
      <pre className="w-full overflow-x-auto rounded-md bg-sunken p-3 font-mono text-sm whitespace-pre-wrap">
        {command}
      </pre>
      <CopyButton text={command} label={t("vendors.copyCommand")} />
    </div>
  );
}
