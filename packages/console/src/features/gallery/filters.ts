import type { ListTasksQuery } from "@zoetrope/sdk/answers";
import { factsOf, type Task } from "./item.ts";

/**
 * The default filters in the URL. `from` and `to` are days of the viewer; `open` is the task in the
 * lightbox.
 */
export const defaults = {
  kind: "",
  model: "",
  status: "",
  key: "",
  from: "",
  to: "",
  prompt: "",
  open: "",
};
export type Filters = typeof defaults;
export type ListFilters = Omit<Filters, "open">;

const dayMs = 86_400_000;

/** The beginning of a day in the viewer's zone; undefined if the text is no day. */
function startOfDay(day: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  return year === undefined ? undefined : new Date(Number(year), Number(month) - 1, Number(date));
}

/** Up to the end of the day. */
function endOfDay(day: string): Date | undefined {
  const start = startOfDay(day);
  return start && new Date(start.getTime() + dayMs);
}

export function queryOf(filters: ListFilters): ListTasksQuery {
  const { kind, model, status, key, prompt } = filters;
  const query = {
    kind,
    model,
    status,
    prompt,
    keyId: key,
    from: startOfDay(filters.from)?.toISOString(),
    to: endOfDay(filters.to)?.toISOString(),
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given) as ListTasksQuery;
}

export function hasFilters({ open: _, ...filters }: Filters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** Whether a new task belongs to the list. An event says neither its key nor its prompt. */
export function accepts(filters: ListFilters, task: Task): boolean {
  const { status, createdAt } = factsOf(task);
  const from = startOfDay(filters.from)?.getTime() ?? 0;
  const to = endOfDay(filters.to)?.getTime() ?? Number.POSITIVE_INFINITY;
  return (
    filters.key === "" &&
    filters.prompt === "" &&
    ["", task.kind].includes(filters.kind) &&
    ["", task.model].includes(filters.model) &&
    ["", status].includes(filters.status) &&
    createdAt >= from &&
    createdAt < to
  );
}

/** Ids begin with their time in milliseconds. */
export function timeOfId(taskId: string): number {
  return Number.parseInt(taskId.replaceAll("-", "").slice(0, 12), 16);
}
