import { useCallback, useRef, useState } from "react";
import type { Task } from "./item.ts";

/** Chosen tasks; a range from the one that was chosen before. */
export function useSelection(tasks: readonly Task[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const shown = useRef(tasks);
  shown.current = tasks;
  const select = useCallback((taskId: string, isRange: boolean) => {
    const ids = shown.current.map((task) => task.taskId);
    const from = isRange && last.current !== null ? ids.indexOf(last.current) : -1;
    const to = ids.indexOf(taskId);
    last.current = taskId;
    setSelected((before) => {
      const after = new Set(before);
      if (from >= 0)
        for (const id of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) after.add(id);
      else if (!after.delete(taskId)) after.add(taskId);
      return after;
    });
  }, []);
  const clear = useCallback(() => setSelected(new Set()), []);
  return { selected, select, clear };
}
