import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Asset } from "@zoetrope/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Code, CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Icon } from "../../components/icon.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { AssetFacts } from "./asset-facts.tsx";
import { AssetMedia } from "./asset-media.tsx";
import { AssetState } from "./asset-state.tsx";
import { DeclarationView } from "./declaration-view.tsx";
import { DeleteAsset } from "./delete-asset.tsx";

interface Props {
  assetId: string;
  /** The asset from the list, if it is there. */
  known: Asset | undefined;
  onClose(): void;
}

/** One asset: the file, its state, what is declared, and what can be done with it. */
export function AssetDialog({ assetId, known, onClose }: Props) {
  const { t } = useTranslation("assets");
  const { account, client } = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.accountId, "asset", assetId],
    queryFn: ({ signal }) => client.assets.get(assetId, { signal }),
    enabled: known === undefined,
  });
  const asset = known ?? data;
  const title = <bdi className="line-clamp-2">{asset?.name ?? t("unnamed")}</bdi>;
  return (
    <Dialog title={title} isOpen isWide onClose={onClose}>
      {asset === undefined && error === null && <Skeleton className="h-80" />}
      {error !== null && asset === undefined && (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      )}
      {asset !== undefined && <Content asset={asset} onDeleted={onClose} />}
    </Dialog>
  );
}

function Content({ asset, onDeleted }: { asset: Asset; onDeleted(): void }) {
  const { t } = useTranslation("assets");
  const { account } = useAccount();
  const [isDeleting, setDeleting] = useState(false);
  const mayWrite = account.role !== "viewer";
  const reference = `asset://${asset.upstreamAssetId}`;
  const isUsable = asset.status !== "FAILED" && asset.size !== null;
  return (
    <div className="flex flex-col gap-4">
      <AssetMedia asset={asset} label={t("fileOf", { name: asset.name ?? asset.assetId })} />
      <AssetState {...asset} />
      <div className="flex flex-wrap items-center gap-2">
        <Code>{reference}</Code>
        <CopyButton text={reference} label={t("copyReference")} />
      </div>
      <AssetFacts asset={asset} />
      <DeclarationView assetId={asset.assetId} />
      {mayWrite && (
        <div className="flex flex-wrap justify-between gap-2 border-t border-line pt-4">
          <Button variant="danger" onClick={() => setDeleting(true)}>
            <Icon name="delete" />
            {t("delete")}
          </Button>
          {isUsable && (
            <Link
              to={"/playground" as never}
              search={{ asset: asset.upstreamAssetId } as never}
              className={buttonClass("primary")}
            >
              <Icon name="play" />
              {t("useInPlayground")}
            </Link>
          )}
        </div>
      )}
      {isDeleting && (
        <DeleteAsset asset={asset} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </div>
  );
}
