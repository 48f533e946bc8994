import { useEffect, useRef } from "react";
import { decodeThumbhash } from "./thumbhash.ts";

/** A blurred preview of an output until its poster has loaded; it fills its container. */
export function Placeholder({ thumbhash }: { thumbhash: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => draw(canvas.current, thumbhash)); // first the page, then what waits in it
    return () => clearTimeout(timer);
  }, [thumbhash]);
  return thumbhash === null ? null : (
    <canvas ref={canvas} className="absolute inset-0 size-full object-cover" />
  );
}

function draw(canvas: HTMLCanvasElement | null, thumbhash: string | null): void {
  const blur = decodeThumbhash(thumbhash);
  if (blur === null || canvas === null) return;
  canvas.width = blur.width;
  canvas.height = blur.height;
  canvas.getContext("2d")?.putImageData(new ImageData(blur.rgba, blur.width, blur.height), 0, 0);
}
