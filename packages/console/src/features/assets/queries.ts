import { type InfiniteData, infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import type { Asset, Zoetrope } from "@zoetrope/sdk";
import type { ListAssetsAnswer, ReadDeclarationAnswer } from "@zoetrope/sdk/answers";
import { get } from "../../lib/client.ts";
import { type AssetType, assetTypes } from "./file-type.ts";

export const assetStatuses = ["PROCESSING", "ACTIVE", "NONE", "FAILED"] as const;
type AssetStatus = (typeof assetStatuses)[number];

export interface AssetFilters {
  type: string;
  status: string;
  name: string;
}

const limit = 40;

/** Words of a URL that are no filter are left out. */
function queryOf({ type, status, name }: AssetFilters) {
  const asked: { type?: AssetType; status?: AssetStatus; name?: string } = {};
  const ofType = assetTypes.find((one) => one === type);
  const inStatus = assetStatuses.find((one) => one === status);
  if (ofType !== undefined) asked.type = ofType;
  if (inStatus !== undefined) asked.status = inStatus;
  if (name.trim() !== "") asked.name = name.trim().slice(0, 64);
  return asked;
}

export function assetsQuery(accountId: string, client: Zoetrope, filters: AssetFilters) {
  const query = queryOf(filters);
  return infiniteQueryOptions({
    queryKey: [accountId, "assets", query],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === 0 ? {} : { cursor: pageParam };
      return client.assets.list({ ...query, limit, ...cursor }, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 10_000,
  });
}

type Pages = InfiniteData<ListAssetsAnswer, number>;

/** Out of every list that shows it. */
export function dropAsset(queries: QueryClient, accountId: string, assetId: number): void {
  const left = (items: Asset[]) => items.filter((one) => one.assetId !== assetId);
  queries.setQueriesData<Pages>({ queryKey: [accountId, "assets"] }, (data) =>
    data === undefined
      ? undefined
      : { ...data, pages: data.pages.map((page) => ({ ...page, items: left(page.items) })) },
  );
}

export function readDeclaration(client: Zoetrope, assetId: number, signal: AbortSignal) {
  const path = "/api/v1/assets/declaration";
  return get<ReadDeclarationAnswer>(client, path, { assetId }, signal);
}
