import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { tell } from "../../components/toasts.tsx";
import { calls } from "./calls.ts";
import { claimMore, releaseClaims, renewClaims, startClaims } from "./claims.ts";
import { createHand, type Hand, type HandState, type News } from "./hand.ts";

/** Claims last five minutes; an empty queue is looked at again as often. */
const everyMs = 60_000;

export function useHand(): { hand: Hand; state: HandState } {
  const { t } = useTranslation("review");
  const [hand] = useState(() => createHand(calls, (news) => tell(sentenceOf(news))));
  const state = useSyncExternalStore(hand.subscribe, hand.getState);
  function sentenceOf(news: News): string {
    if (news.kind === "lost") return t("news.lost", { ids: news.assetIds.join(", ") });
    const reason = "error" in news && news.error instanceof Error ? news.error.message : "";
    return t(`news.${news.kind}`, { id: news.assetId, reason });
  }
  useEffect(() => {
    void startClaims(hand);
    const keep = () => {
      const { items, isDrained } = hand.getState();
      if (document.hidden) return; // whoever looks at something else does not hold up the queue
      if (items.length > 0)
        renewClaims(hand).catch(() => {}); // the next decision tells
      else if (isDrained) void claimMore(hand);
    };
    const timer = setInterval(keep, everyMs);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      releaseClaims(hand).catch(() => {}); // they end by themselves
    };
  }, [hand]);
  return { hand, state };
}
