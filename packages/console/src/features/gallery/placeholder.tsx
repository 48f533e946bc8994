import { useEffect, useRef } from "react";
import { decodeThumbhash } from "./thumbhash.ts";

/** What an output looks like until its poster is there; it fills its place. */
export function Placeholder({ thumbhash }: { thumbhash: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const blur = decodeThumbhash(thumbhash);
    const place = canvas.current;
    if (blur === null || place === null) return;
    place.width = blur.width;
    place.height = blur.height;
    place.getContext("2d")?.putImageData(new ImageData(blur.rgba, blur.width, blur.height), 0, 0);
  }, [thumbhash]);
  return thumbhash === null ? null : (
    <canvas ref={canvas} className="absolute inset-0 size-full object-cover" />
  );
}
