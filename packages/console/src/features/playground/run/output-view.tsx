import type { GenerationTask } from "@zoetrope/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/badge.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { DownloadButton } from "../../gallery/download-button.tsx";

type Output = NonNullable<GenerationTask["output"]>[number];

interface Props {
  taskId: string;
  index: number;
  output: Output;
}

/** A file of a task with its player and its download. */
export function OutputView({ taskId, index, output }: Props) {
  const { t } = useTranslation("playground");
  const { url, width, height, durationSeconds } = output;
  const [isBroken, setBroken] = useState(false);
  if (!/^https?:/.test(url)) return null;
  const facts = [
    `${width} × ${height}`,
    ...(durationSeconds === null ? [] : [formatSeconds(durationSeconds)]),
  ];
  return (
    <figure className="flex flex-col gap-2">
      {isBroken ? (
        <Notice tone="warn">{t("result.gone")}</Notice>
      ) : (
        <Media output={output} onBroken={() => setBroken(true)} />
      )}
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-sm text-muted">{facts.join(" · ")}</span>
        <DownloadButton taskId={taskId} index={index} file={output} />
      </figcaption>
    </figure>
  );
}

function Media({ output, onBroken }: { output: Output; onBroken(): void }) {
  const { t } = useTranslation("playground");
  const { url, mediaType, width, height, posterUrl } = output;
  const shape = "max-h-[60vh] w-full rounded-md bg-black object-contain";
  // The place is taken before the file is there: nothing jumps.
  const style = { aspectRatio: `${width} / ${height}` };
  return mediaType.startsWith("video/") ? (
    // biome-ignore lint/a11y/useMediaCaption: a generated video has no captions
    <video
      src={url}
      poster={posterUrl ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={t("result.video")}
      onError={onBroken}
      className={shape}
      style={style}
    />
  ) : (
    <img src={url} alt={t("result.image")} onError={onBroken} className={shape} style={style} />
  );
}
