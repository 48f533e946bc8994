import { useEffect, useRef, useState } from "react";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;

/** Files that are dropped anywhere on the page, or pasted. Returns whether some are being dragged over it. */
export function useIncomingFiles(isOn: boolean, take: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const give = (list: FileList | undefined) => {
      if (list !== undefined && list.length > 0) latest.current([...list]);
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false); // the window was left
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      give(event.dataTransfer?.files);
    };
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.closest("input, textarea")) return;
      give(event.clipboardData?.files);
    };
    window.addEventListener("dragover", over, options);
    window.addEventListener("dragleave", leave, options);
    window.addEventListener("drop", drop, options);
    window.addEventListener("paste", paste, options);
    return () => stop.abort();
  }, [isOn]);
  return isOver;
}
