import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAccount } from "../../app/session.tsx";
import { useLive } from "../../lib/live.tsx";

/**
 * Returns what the account can pay and how many more tasks it may have now. It is read again when a
 * task that stood in the way ends.
 */
export function useAllowance() {
  const { account, client } = useAccount();
  const queries = useQueryClient();
  const queryKey = [account.accountId, "credits"];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.credits({ signal }),
  });
  const readAgain = () => void queries.invalidateQueries({ queryKey });
  useLive(({ number }) => {
    if (number !== null && data?.openTasksLeft === 0) readAgain();
  });
  return { allowance: data ?? null, allowanceError: data === undefined ? error : null, readAgain };
}
