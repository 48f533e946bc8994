import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useAccount } from "../../app/session.tsx";
import { createUploads, type Sending, type Uploads } from "./uploads.ts";

/** Most automatic reviews are over by then. */
const reviewedMs = 6_000;

const opened = new Map<string, Uploads>();

/** The uploads of the account, which outlive the page. */
export function useUploads(): { uploads: Uploads; sending: readonly Sending[] } {
  const { account, client } = useAccount();
  const queries = useQueryClient();
  const { accountId } = account;
  let uploads = opened.get(accountId);
  if (uploads === undefined) {
    const refresh = () => void queries.invalidateQueries({ queryKey: [accountId, "assets"] });
    uploads = createUploads(accountId, client, () => {
      refresh();
      setTimeout(refresh, reviewedMs);
    });
    opened.set(accountId, uploads);
  }
  return { uploads, sending: useSyncExternalStore(uploads.subscribe, uploads.getState) };
}
