import { type InfiniteData, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Zoetrope } from "@zoetrope/sdk";
import type { ReadLedgerAnswer } from "@zoetrope/sdk/answers";
import { type Account, useSession } from "../../app/session.tsx";
import { queryClient } from "../../lib/client.ts";
import { useLive } from "../../lib/live.tsx";

interface Through {
  account: Account;
  client: Zoetrope;
}

/** A task that ends changes all three: the next page that shows one reads it again. */
export function useFreshMoney(): void {
  const { account } = useSession();
  useLive(({ number }) => {
    if (number === null || account === null) return;
    for (const name of ["credits", "usage", "ledger"])
      void queryClient.invalidateQueries({
        queryKey: [account.accountId, name],
        refetchType: "none",
      });
  });
}

export function creditsQuery({ account, client }: Through) {
  return queryOptions({
    queryKey: [account.accountId, "credits"],
    queryFn: ({ signal }) => client.credits({ signal }),
  });
}

export const intervals = ["hour", "day", "month"] as const;
export const groups = ["model", "key", "status"] as const;
export type Interval = (typeof intervals)[number];
type Group = (typeof groups)[number];

export interface UsageFilters {
  by: Interval;
  group: Group;
  days: number;
}

/** More than a chart can show; the page says so if there is more. */
export const usageItemsMax = 1000;

export function usageQuery({ account, client }: Through, { by, group, days }: UsageFilters) {
  return queryOptions({
    queryKey: [account.accountId, "usage", by, group, days],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - days * 86_400_000).toISOString();
      return client.usage({ by, group, from, limit: usageItemsMax }, { signal });
    },
    placeholderData: (before) => before,
  });
}

const entriesPerPage = 50;

export function ledgerQuery({ account, client }: Through) {
  return infiniteQueryOptions<
    ReadLedgerAnswer,
    Error,
    InfiniteData<ReadLedgerAnswer>,
    unknown[],
    number | null
  >({
    queryKey: [account.accountId, "ledger"],
    queryFn: ({ pageParam, signal }) =>
      client.ledger({ limit: entriesPerPage, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
