import { useQueryClient } from "@tanstack/react-query";
import type { Asset } from "@zoetrope/sdk";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatBytes } from "../../lib/format.ts";
import { dropAsset } from "./queries.ts";

interface Props {
  asset: Asset;
  onClose(): void;
  onDeleted(): void;
}

export function DeleteAsset({ asset, onClose, onDeleted }: Props) {
  const { t } = useTranslation("assets");
  const { account, client } = useAccount();
  const queries = useQueryClient();
  const name = asset.name ?? t("unnamed");
  return (
    <Confirm
      isOpen
      title={t("deleteTitle")}
      action={t("delete")}
      effect={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li dir="auto">{t("deleteEffect.file", { name })}</li>
          {asset.size !== null && (
            <li>{t("deleteEffect.room", { size: formatBytes(asset.size) })}</li>
          )}
          <li>{t("deleteEffect.reference")}</li>
          <li>{t("deleteEffect.outputs")}</li>
          <li>{t("deleteEffect.declaration")}</li>
        </ul>
      }
      onClose={onClose}
      onConfirm={async () => {
        await client.assets.delete(asset.assetId);
        onDeleted();
        dropAsset(queries, account.accountId, asset.assetId);
        toast(t("deleted", { name }));
      }}
    />
  );
}
