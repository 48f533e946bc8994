import { useCallback, useEffect, useRef, useState } from "react";
import { mayPreview } from "./motion.ts";

const afterMs = 150;

/** The tile under the pointer, once it stays there: one at a time. */
export function usePreview(): [string | null, (taskId: string | null) => void] {
  const [previewId, setPreviewId] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const point = useCallback((taskId: string | null) => {
    clearTimeout(timer.current);
    setPreviewId(null);
    if (taskId !== null && mayPreview())
      timer.current = setTimeout(() => setPreviewId(taskId), afterMs);
  }, []);
  return [previewId, point];
}
