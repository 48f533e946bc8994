import type { Asset } from "@zoetrope/sdk";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Code } from "../../components/copy-button.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatSeconds } from "../../lib/format.ts";

export function AssetFacts({ asset }: { asset: Asset }) {
  const { t } = useTranslation("assets");
  const { width, height, duration, size, url, storageUrl } = asset;
  const facts: [string, ReactNode][] = [
    [t("fact.type"), t(`type.${asset.type}`)],
    [t("fact.created"), <Time key="created" ms={asset.createdAt} />],
  ];
  if (width !== null && height !== null) facts.push([t("fact.pixels"), `${width} × ${height}`]);
  if (duration !== null) facts.push([t("fact.duration"), formatSeconds(duration)]);
  if (size !== null) facts.push([t("fact.size"), formatBytes(size)]);
  facts.push([t("fact.id"), <Code key="id">{String(asset.assetId)}</Code>]);
  // A long address is text, not a link: it is somebody's, and may lead anywhere.
  if (url !== storageUrl) facts.push([t("fact.source"), <Code key="source">{url}</Code>]);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="max-h-24 min-w-0 overflow-auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
