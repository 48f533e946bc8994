import { useInfiniteQuery } from "@tanstack/react-query";
import type { Asset } from "@zoetrope/sdk";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import { AssetDialog } from "./asset-dialog.tsx";
import { AssetTile } from "./asset-tile.tsx";
import { type AssetFilters, assetsQuery } from "./queries.ts";

/** Reviews end without a word on the stream, so a list that waits for some is read again this often. */
const refreshMs = 60_000;

interface Props {
  filters: AssetFilters;
  /** The asset that is open, by its id in the URL. */
  openId: string;
  onOpen(assetId: string): void;
  /** Instructions to get the first file here. */
  children: ReactNode;
}

const skeletons = ["a", "b", "c", "d", "e", "f", "g", "h"];

export function Library({ filters, openId, onOpen, children }: Props) {
  const { t } = useTranslation(["assets", "frame"]);
  const { account, client } = useAccount();
  const { data, error, isPending, refetch, ...more } = useInfiniteQuery({
    ...assetsQuery(account.accountId, client, filters),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isWaiting)) ? refreshMs : false,
  });
  const assets = data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    <>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <div className={grid}>
          {skeletons.map((key) => (
            <Skeleton key={key} className="aspect-square" />
          ))}
        </div>
      )}
      {data !== undefined && assets.length === 0 && !more.hasNextPage && (
        <Empty title={isFiltered ? t("noneFound") : t("empty")}>
          {isFiltered ? t("noneFoundAbout") : children}
        </Empty>
      )}
      <ul aria-label={t("frame:pages.assets")} className={grid}>
        {assets.map((asset) => (
          <AssetTile
            key={asset.assetId}
            asset={asset}
            onOpen={() => onOpen(String(asset.assetId))}
          />
        ))}
      </ul>
      {more.hasNextPage && (
        <Button
          className="self-center"
          isBusy={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t("frame:showMore")}
        </Button>
      )}
      {openId !== "" && (
        <AssetDialog
          key={openId}
          assetId={openId}
          known={assets.find(({ assetId }) => String(assetId) === openId)}
          onClose={() => onOpen("")}
        />
      )}
    </>
  );
}

const grid = "grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5";

function isWaiting({ status }: Asset): boolean {
  return status === "PROCESSING";
}
