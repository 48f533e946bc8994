import type { InfiniteData } from "@tanstack/react-query";
import type { ListTasksAnswer } from "@zoetrope/sdk/answers";
import type { Task } from "./item.ts";

export type Pages = InfiniteData<ListTasksAnswer, string | null>;

/** The pages with the shown tasks replaced, and the tasks that they do not have. */
export function replaceTasks(
  pages: Pages,
  changed: ReadonlyMap<string, Task>,
): { pages: Pages; others: Task[] } {
  const others = new Map(changed);
  const replaced = pages.pages.map((page) => {
    if (!page.items.some(({ taskId }) => changed.has(taskId))) return page;
    const items = page.items.map((task) => {
      others.delete(task.taskId);
      return changed.get(task.taskId) ?? task;
    });
    return { ...page, items };
  });
  return { pages: { ...pages, pages: replaced }, others: [...others.values()] };
}

/**
 * Inserts tasks by id, newest first, because ids begin with their time. Tasks of pages that are not
 * loaded yet are left out.
 */
export function insertTasks(pages: Pages, tasks: readonly Task[]): Pages {
  const last = pages.pages.at(-1);
  if (last === undefined) return pages;
  const oldest = pages.pages.flatMap(({ items }) => items.at(-1)?.taskId ?? []).at(-1) ?? "";
  const shown = new Set(pages.pages.flatMap(({ items }) => items.map(({ taskId }) => taskId)));
  const isDue = ({ taskId }: Task) =>
    !shown.has(taskId) && (last.nextCursor === null || taskId > oldest);
  const due = tasks.filter(isDue);
  if (due.length === 0) return pages;
  const [first, ...rest] = pages.pages;
  if (first === undefined) return pages;
  const isLater = (task: Task) => rest.some(({ items }) => (items[0]?.taskId ?? "") > task.taskId);
  const items = [...due.filter((task) => !isLater(task)), ...first.items].sort((one, other) =>
    one.taskId < other.taskId ? 1 : -1,
  );
  return { ...pages, pages: [{ ...first, items }, ...rest] };
}
