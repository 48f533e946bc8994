import type { ReviewDecision } from "@zoetrope/sdk/admin";
import { Icon } from "../../components/icon.tsx";

const box = "size-12 shrink-0 rounded border border-line bg-sunken";

/** A small view of an image; other files, and those that are gone, have a sign. */
export function Thumbnail({ asset }: Pick<ReviewDecision, "asset">) {
  if (asset?.type === "IMAGE" && asset.mediaUrl !== null)
    return <img src={asset.mediaUrl} alt="" loading="lazy" className={`${box} object-cover`} />;
  return (
    <span className={`${box} inline-flex items-center justify-center text-muted`}>
      <Icon name={asset === null ? "delete" : asset.type === "IMAGE" ? "asset" : "play"} />
    </span>
  );
}
