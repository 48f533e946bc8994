import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Asset } from "@zoetrope/sdk";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { Button, buttonClass } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { ErrorPanel } from "../../../components/error-panel.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Empty, Skeleton } from "../../../components/panel.tsx";
import type { Media } from "../form/read-forms.ts";
import type { FileRef } from "../form/values.ts";

interface Props {
  media: Media;
  chosen: readonly FileRef[];
  isOpen: boolean;
  onClose(): void;
  onPick(file: FileRef): void;
}

const types = { image: "IMAGE", video: "VIDEO", audio: "AUDIO" } as const;
const assetsPerPage = 24;

export function AssetPicker(props: Props) {
  const { t } = useTranslation("playground");
  return (
    <Dialog title={t("picker.title")} isWide isOpen={props.isOpen} onClose={props.onClose}>
      <Library {...props} />
    </Dialog>
  );
}

function useLibrary(media: Media) {
  const { account, client } = useAccount();
  const type = types[media.type];
  const status = media.needsReview ? ("ACTIVE" as const) : undefined;
  return useInfiniteQuery({
    queryKey: [account.accountId, "assets", "picker", type, status ?? "any"],
    queryFn: ({ pageParam, signal }) =>
      client.assets.list(
        {
          type,
          limit: assetsPerPage,
          status,
          cursor: pageParam ?? undefined,
        },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
}

function Library({ media, chosen, onPick, onClose }: Props) {
  const { t } = useTranslation("playground");
  const { t: frame } = useTranslation();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useLibrary(media);
  if (isPending) return <Skeleton className="h-48" />;
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  const assets = data.pages
    .flatMap(({ items }) => items)
    .filter(({ status }) => status !== "FAILED");
  if (assets.length === 0)
    return (
      <Empty title={t("picker.empty")}>
        <Link to={"/assets" as never} className={buttonClass()}>
          {frame("pages.assets")}
        </Link>
      </Empty>
    );
  const pick = ({ upstreamAssetId, name, previewUrl }: Asset) => {
    onPick({ url: `asset://${upstreamAssetId}`, name, previewUrl });
    if (chosen.length + 1 >= media.countMax) onClose();
  };
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-2">
        {assets.map((asset) => (
          <li key={asset.assetId}>
            <AssetTile
              asset={asset}
              isChosen={chosen.some(({ url }) => url === `asset://${asset.upstreamAssetId}`)}
              onPick={() => pick(asset)}
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {frame("showMore")}
        </Button>
      )}
    </>
  );
}

function AssetTile({
  asset,
  isChosen,
  onPick,
}: {
  asset: Asset;
  isChosen: boolean;
  onPick(): void;
}) {
  const { type, name, previewUrl, upstreamAssetId } = asset;
  const previewClass = "aspect-video w-full bg-sunken object-cover";
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={isChosen}
      onClick={onPick}
      className={classNames(
        "w-full overflow-hidden rounded-md border text-left",
        isChosen ? "border-accent" : "border-line hover:border-accent",
      )}
    >
      {type === "IMAGE" && previewUrl !== null ? (
        <img src={previewUrl} alt="" loading="lazy" className={previewClass} />
      ) : type === "VIDEO" && previewUrl !== null ? (
        <video src={previewUrl} muted preload="metadata" tabIndex={-1} className={previewClass} />
      ) : (
        <span className="flex aspect-video items-center justify-center bg-sunken text-muted">
          <Icon name="asset" className="size-6" />
        </span>
      )}
      <span className="flex items-center gap-1 p-1.5 text-sm">
        {isChosen && <Icon name="check" />}
        <bdi className="truncate">{name ?? upstreamAssetId}</bdi>
      </span>
    </button>
  );
}
