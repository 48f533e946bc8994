import { queryOptions } from "@tanstack/react-query";
import type { ListPriceBooksAnswer, ReadPriceBookAnswer } from "@zoetrope/sdk/admin";
import { client, get, queryClient } from "../../lib/client.ts";

const booksPath = "/api/admin/v1/price-books";

/** The path of a book. */
export function pathOf(book: string): string {
  return `${booksPath}/${encodeURIComponent(book)}`;
}

export const booksQuery = queryOptions({
  queryKey: ["admin", "prices"],
  queryFn: ({ signal }) => get<ListPriceBooksAnswer>(client, booksPath, {}, signal),
  staleTime: 0,
});

export function bookQuery(book: string) {
  return queryOptions({
    queryKey: ["admin", "prices", book],
    queryFn: ({ signal }) => get<ReadPriceBookAnswer>(client, pathOf(book), {}, signal),
    staleTime: 0,
  });
}

/** After a change of a book. */
export async function readBooksAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["admin", "prices"] });
}
