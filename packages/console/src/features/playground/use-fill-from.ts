import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useAccount } from "../../app/session.tsx";
import { get } from "../../lib/client.ts";
import { readRequest, type SentRequest } from "./drafts.ts";
import type { Draft } from "./use-draft.ts";

/** Fills the form from the request of the task that the URL names; says what is in the way. */
export function useFillFrom({ again: from, fill }: Draft): { error: unknown; isUnfit: boolean } {
  const { account, client } = useAccount();
  const { accountId } = account;
  const { data, error } = useQuery({
    queryKey: [accountId, "request", from],
    queryFn: ({ signal }) =>
      readRequest(accountId, from) ??
      get<SentRequest>(client, "/api/v1/jobs/request", { taskId: from }, signal),
    enabled: from !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [unfit, setUnfit] = useState("");
  const isThere = from !== "" && data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each task that is named
  useEffect(() => {
    if (isThere && !fill(data)) setUnfit(from);
  }, [isThere, data]);
  return { error: from === "" ? null : error, isUnfit: from !== "" && from === unfit };
}
