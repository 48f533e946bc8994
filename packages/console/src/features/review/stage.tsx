import { type RefObject, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Spinner } from "../../components/spinner.tsx";
import { type Loaded, Media } from "./media.tsx";
import { type ReviewState, type ReviewStore, show } from "./review-store.ts";

/** The one that is judged, and the next ones, whose files are loaded meanwhile. */
const mountedMax = 4;
/** A second press of the same key comes within this time; nobody judges what they have seen so briefly. */
const settleMs = 150;

interface Props {
  store: ReviewStore;
  /** Whether every key of a decision has its meaning: one that has none yet would be lost. */
  isReady: boolean;
  state: ReviewState;
  isZoomed: boolean;
  player: RefObject<HTMLMediaElement | null>;
}

export function Stage({ store, isReady, state, isZoomed, player }: Props) {
  const { t } = useTranslation("review");
  const { items, sequence, shownSequence } = state;
  const [loaded, setLoaded] = useState<ReadonlySet<number>>(new Set());
  const note = useCallback(
    (assetId: number, how: Loaded) => {
      if (how === "failed") store.set({ broken: new Set(store.getState().broken).add(assetId) });
      setLoaded((before) => new Set(before).add(assetId));
    },
    [store],
  );
  const mounted = items.slice(0, mountedMax);
  const current = items[0];
  const isLoaded = isReady && current !== undefined && loaded.has(current.assetId);
  useEffect(() => {
    if (!isLoaded) return;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the next frame it has been painted.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => show(store, sequence), settleMs);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [store, sequence, isLoaded]);
  return (
    <figure
      data-asset={current?.assetId}
      data-shown={sequence === shownSequence}
      className="relative flex h-[55vh] min-h-64 overflow-auto rounded-lg border border-line bg-sunken lg:h-[calc(100vh-15rem)]"
    >
      {mounted.map((item, at) => (
        <Media
          key={item.assetId}
          {...{ item, player, isZoomed }}
          isCurrent={at === 0}
          onLoaded={note}
        />
      ))}
      {!isLoaded && (
        <div role="status" className="absolute inset-0 flex items-center justify-center text-muted">
          <Spinner className="size-8" />
          <span className="sr-only">{t("loadingMedia")}</span>
        </div>
      )}
    </figure>
  );
}
