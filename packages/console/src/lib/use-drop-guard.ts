import { useEffect } from "react";

/** A file that is dropped beside its place would replace the page, with all that was filled in. */
export function useDropGuard(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      const { target, dataTransfer, defaultPrevented } = event;
      const isInput = target instanceof Element && target.matches("input[type=file]");
      if (defaultPrevented || isInput || dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", refuse);
    window.addEventListener("drop", refuse);
    return () => {
      window.removeEventListener("dragover", refuse);
      window.removeEventListener("drop", refuse);
    };
  }, []);
}
