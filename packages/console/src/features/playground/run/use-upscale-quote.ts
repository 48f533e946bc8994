import { useQuery } from "@tanstack/react-query";
import type { TargetResolution } from "@zoetrope/sdk";
import { useAccount } from "../../../app/session.tsx";

/** Returns what upscale/create would hold for the output of a task, or why it would refuse it. */
export function useUpscaleQuote(taskId: string, target: TargetResolution | null) {
  const { account, client } = useAccount();
  const { data, error } = useQuery({
    queryKey: [account.accountId, "upscale quote", taskId, target],
    queryFn: ({ signal }) => client.upscales.quote({ taskId }, target ?? "1080p", { signal }),
    enabled: target !== null,
    gcTime: 60_000,
  });
  return { price: data?.credits ?? null, error };
}
