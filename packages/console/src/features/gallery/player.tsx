import { type CSSProperties, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/icon.tsx";
import { isKept, isVideo, type MediaFile } from "./item.ts";
import { Placeholder } from "./placeholder.tsx";

interface Props {
  file: MediaFile;
  /** A description of the video for people who cannot see it. */
  label: string;
  isAutoPlay?: boolean;
  className?: string;
}

/** An output at its own aspect ratio: its place is there before its bytes are. */
export function Player({ file, label, isAutoPlay = false, className = "" }: Props) {
  const [isBroken, setBroken] = useState(false);
  // A page can bound the height with it: `inline-size: calc(height * var(--shape))`.
  const shape = {
    aspectRatio: `${file.width} / ${file.height}`,
    "--shape": file.width / file.height,
  } as CSSProperties;
  const broken = () => setBroken(true);
  if (isBroken || !isKept(file))
    return (
      <div
        style={shape}
        className={`relative grid place-items-center overflow-hidden ${className}`}
      >
        <MediaGone />
      </div>
    );
  return (
    <div style={shape} className={`relative overflow-hidden bg-sunken ${className}`}>
      <Placeholder thumbhash={file.thumbhash} />
      {isVideo(file) ? (
        <Video file={file} label={label} isAutoPlay={isAutoPlay} onBroken={broken} />
      ) : (
        <img
          src={file.url}
          alt={label}
          width={file.width}
          height={file.height}
          onError={broken}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  );
}

interface VideoProps {
  file: MediaFile;
  label: string;
  isAutoPlay: boolean;
  onBroken(): void;
}

function Video({ file, label, isAutoPlay, onBroken }: VideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => stopLoading(video.current), []);
  return (
    // biome-ignore lint/a11y/useMediaCaption: generated videos have no captions
    <video
      ref={video}
      src={file.url}
      aria-label={label}
      poster={file.posterUrl ?? undefined}
      controls
      loop
      playsInline
      autoPlay={isAutoPlay}
      preload={isAutoPlay ? "auto" : "metadata"}
      onError={onBroken}
      className="absolute inset-0 size-full object-contain"
    />
  );
}

/** A removed video would go on loading until it is collected. */
export function stopLoading(video: HTMLVideoElement | null): () => void {
  return () => {
    if (video === null) return;
    video.pause();
    video.removeAttribute("src");
    video.load();
  };
}

function MediaGone() {
  const { t } = useTranslation("gallery");
  return (
    <span className="flex flex-col items-center gap-1 p-2 text-center text-sm text-muted">
      <Icon name="delete" className="size-6" />
      {t("mediaGone")}
    </span>
  );
}
