import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Icon } from "../../components/icon.tsx";
import { Skeleton } from "../../components/panel.tsx";

interface Props<Data> {
  query: UseQueryResult<Data>;
  /** The class of the skeleton, which sets the height of the content to come. */
  className?: string;
  children(data: Data): ReactNode;
}

export function Loaded<Data>({ query, className = "h-64", children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton className={className} />;
}

/** Nothing polls: a person asks for what is new. */
export function ReadAgain({
  queries,
}: {
  queries: readonly Pick<UseQueryResult, "refetch" | "isFetching">[];
}) {
  const { t } = useTranslation("operations");
  return (
    <Button
      isBusy={queries.some(({ isFetching }) => isFetching)}
      onClick={() => {
        for (const query of queries) void query.refetch();
      }}
    >
      <Icon name="again" />
      {t("readAgain")}
    </Button>
  );
}

interface PagesProps<Item> {
  query: UseInfiniteQueryResult<{ pages: readonly { items: readonly Item[] }[] }>;
  empty: ReactNode;
  children(items: readonly Item[]): ReactNode;
}

/** A list that is read page by page. */
export function LoadedPages<Item>({ query, empty, children }: PagesProps<Item>) {
  const { t } = useTranslation();
  if (query.data === undefined)
    return query.isError ? (
      <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-96" />
    );
  const items = query.data.pages.flatMap((page) => page.items);
  return (
    <>
      {items.length === 0 && !query.hasNextPage ? empty : children(items)}
      {query.isError && (
        <ErrorPanel error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
      {query.hasNextPage && (
        <Button
          className="self-center"
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("showMore")}
        </Button>
      )}
    </>
  );
}
