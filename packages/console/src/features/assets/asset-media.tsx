import type { Asset } from "@zoetrope/sdk";
import { Icon } from "../../components/icon.tsx";

/** The small view of a tile: the browser reads no more of a video than its first frame. */
export function TileMedia({ asset }: { asset: Asset }) {
  const { type, previewUrl } = asset;
  const fill = "size-full object-cover";
  if (previewUrl !== null && type === "IMAGE")
    return <img src={previewUrl} alt="" loading="lazy" className={fill} />;
  if (previewUrl !== null && type === "VIDEO")
    return <video src={previewUrl} preload="metadata" muted tabIndex={-1} className={fill} />;
  return (
    <span className="flex size-full items-center justify-center text-muted">
      <Icon name={type === "AUDIO" ? "status" : "asset"} className="size-8" />
    </span>
  );
}

/** The file itself, as its owner may see it, also during the review. */
export function AssetMedia({ asset, label }: { asset: Asset; label: string }) {
  const { type, previewUrl } = asset;
  if (previewUrl === null) return null;
  const fit = "mx-auto max-h-[45vh] rounded-md bg-sunken object-contain";
  if (type === "IMAGE") return <img src={previewUrl} alt={label} className={fit} />;
  if (type === "VIDEO")
    // biome-ignore lint/a11y/useMediaCaption: a customer's own file
    return <video src={previewUrl} controls playsInline aria-label={label} className={fit} />;
  // biome-ignore lint/a11y/useMediaCaption: a customer's own file
  return <audio src={previewUrl} controls aria-label={label} className="w-full" />;
}
