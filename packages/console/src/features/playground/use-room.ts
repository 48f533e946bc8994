import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAccount } from "../../app/session.tsx";
import { useLive } from "../../lib/live.tsx";

/** What the account can pay and how many more tasks it may have now; read again when a task ends that stood in the way. */
export function useRoom() {
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
  return { room: data ?? null, roomError: data === undefined ? error : null, readAgain };
}
