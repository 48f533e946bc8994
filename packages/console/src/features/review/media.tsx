import type { ReviewItem } from "@zoetrope/sdk/admin";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { classNames } from "../../components/class-names.ts";

export type Loaded = "yes" | "failed";

interface Props {
  item: ReviewItem;
  /** Others are loaded out of sight, so that the next decision waits for nothing. */
  isCurrent: boolean;
  isZoomed: boolean;
  player: RefObject<HTMLMediaElement | null>;
  onLoaded(assetId: number, loaded: Loaded): void;
}

/** The file of an asset. It keeps its element when it becomes the current one. */
export function Media({ item, isCurrent, isZoomed, player, onLoaded }: Props) {
  const { t } = useTranslation("review");
  const { assetId, type, mediaUrl, name } = item;
  const [isFailed, setFailed] = useState(mediaUrl === null);
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  useEffect(() => {
    if (!isCurrent) return;
    player.current = media.current;
    if (media.current instanceof HTMLVideoElement) media.current.play().catch(() => {}); // muted
    return () => {
      player.current = null;
    };
  }, [isCurrent, player]);
  useEffect(() => {
    if (mediaUrl === null) onLoaded(assetId, "failed"); // claimed by somebody else meanwhile
  }, [assetId, mediaUrl, onLoaded]);
  const fail = () => {
    setFailed(true);
    onLoaded(assetId, "failed");
  };
  const label = t("mediaOf", { type: t(`type.${type}`), name: name ?? assetId });
  const parts = { src: mediaUrl ?? undefined, onError: fail };
  const hidden = !isCurrent && "invisible absolute inset-0 pointer-events-none";
  const fitted = isZoomed ? "max-w-none" : "size-full object-contain";
  if (isFailed || mediaUrl === null)
    return isCurrent ? (
      <div className="m-auto max-w-md p-4">
        <Notice tone="warn">{t("mediaFailed")}</Notice>
      </div>
    ) : null;
  if (type === "IMAGE")
    return (
      <img
        {...parts}
        alt={label}
        className={classNames(fitted, hidden)}
        onLoad={(event) => {
          const done = () => onLoaded(assetId, "yes");
          event.currentTarget.decode().then(done, done);
        }}
      />
    );
  const moving = {
    ...parts,
    ref: media,
    preload: "auto" as const,
    controls: isCurrent,
    loop: true,
    "aria-label": label,
    "aria-hidden": !isCurrent || undefined,
    onLoadedData: () => onLoaded(assetId, "yes"),
  };
  if (type === "VIDEO")
    return <video {...moving} muted playsInline className={classNames(fitted, hidden)} />;
  return <audio {...moving} className={classNames("m-auto w-full max-w-xl", hidden)} />;
}
