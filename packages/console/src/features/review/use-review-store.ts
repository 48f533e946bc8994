import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../components/toasts.tsx";
import { calls } from "./calls.ts";
import { claimMore, releaseClaims, renewClaims, startClaims } from "./claims.ts";
import {
  createReviewStore,
  type ReviewNotice,
  type ReviewState,
  type ReviewStore,
} from "./review-store.ts";

/** Claims last five minutes and are renewed every minute. An empty queue is read again at the same interval. */
const everyMs = 60_000;

export function useReviewStore(): { store: ReviewStore; state: ReviewState } {
  const { t } = useTranslation("review");
  const [store] = useState(() => createReviewStore(calls, (notice) => toast(sentenceOf(notice))));
  const state = useSyncExternalStore(store.subscribe, store.getState);
  function sentenceOf(notice: ReviewNotice): string {
    if (notice.kind === "lost") return t("notice.lost", { ids: notice.assetIds.join(", ") });
    const reason = "error" in notice && notice.error instanceof Error ? notice.error.message : "";
    return t(`notice.${notice.kind}`, { id: notice.assetId, reason });
  }
  useEffect(() => {
    void startClaims(store);
    const keep = () => {
      const { items, isDrained } = store.getState();
      if (document.hidden) return; // a hidden page renews nothing, so others get its assets
      if (items.length > 0)
        renewClaims(store).catch(() => {}); // the next decision reports it
      else if (isDrained) void claimMore(store);
    };
    const timer = setInterval(keep, everyMs);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      releaseClaims(store).catch(() => {}); // they expire
    };
  }, [store]);
  return { store, state };
}
