import { queryOptions } from "@tanstack/react-query";
import { calls } from "./calls.ts";

/** They change with a release only. */
export const reasonsQuery = queryOptions({
  queryKey: ["review", "reasons"],
  queryFn: ({ signal }) => calls.reasons(signal),
  staleTime: Number.POSITIVE_INFINITY,
});
