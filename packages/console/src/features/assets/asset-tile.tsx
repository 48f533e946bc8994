import type { Asset } from "@zoetrope/sdk";
import { useTranslation } from "react-i18next";
import { formatBytes, formatSeconds } from "../../lib/format.ts";
import { TileMedia } from "./asset-media.tsx";
import { AssetBadge } from "./asset-state.tsx";

export function AssetTile({ asset, onOpen }: { asset: Asset; onOpen(): void }) {
  const { t } = useTranslation("assets");
  const { name, type, size, duration, status } = asset;
  const facts = [
    t(`type.${type}`),
    duration !== null && formatSeconds(duration),
    size !== null && formatBytes(size),
  ].filter(Boolean);
  return (
    <li className="min-w-0">
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-panel text-left hover:border-line-strong"
      >
        <span className="block aspect-[4/3] w-full overflow-hidden bg-sunken">
          <TileMedia asset={asset} />
        </span>
        <span className="flex min-w-0 flex-col gap-1 p-2">
          <span className="truncate font-medium" dir="auto">
            {name ?? t("unnamed")}
          </span>
          <span className="flex flex-wrap items-center justify-between gap-1">
            <span className="text-sm text-muted">{facts.join(" · ")}</span>
            <AssetBadge status={status} />
          </span>
        </span>
      </button>
    </li>
  );
}
