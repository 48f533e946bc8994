import { expect, test } from "vitest";
import { insertTasks, type Pages, replaceTasks } from "./apply-events.ts";
import { type Task, taskOfEvent } from "./item.ts";

const taskOf = (taskId: string, status = "PENDING") =>
  ({ kind: "generation", taskId, status }) as Task;
const pagesOf = (nextCursor: string | null, ...pages: string[][]): Pages => ({
  pageParams: pages.map(() => null),
  pages: pages.map((ids, at) => ({
    items: ids.map((id) => taskOf(id)),
    nextCursor: at === pages.length - 1 ? nextCursor : (ids.at(-1) ?? null),
  })),
});
const idsOf = ({ pages }: Pages) =>
  pages.map(({ items }) => items.map(({ taskId }) => taskId).join(""));

test("a shown task is replaced where it is, and others are told apart", () => {
  const changed = new Map([
    ["3", taskOf("3", "COMPLETED")],
    ["9", taskOf("9")],
  ]);
  const before = pagesOf("1", ["5", "4"], ["3", "1"]);
  const { pages, others } = replaceTasks(before, changed);
  expect(idsOf(pages)).toEqual(["54", "31"]);
  expect(pages.pages[1]?.items[0]?.status).toBe("COMPLETED");
  expect(pages.pages[0]).toBe(before.pages[0]);
  expect(others.map(({ taskId }) => taskId)).toEqual(["9"]);
});

test("new tasks come first by their ids, each once; what is on pages to come waits for them", () => {
  const pages = pagesOf("3", ["7", "5", "3"]);
  const inserted = insertTasks(
    pages,
    ["8", "9", "6", "7", "2"].map((id) => taskOf(id)),
  );
  expect(idsOf(inserted)).toEqual(["987653"]);
  expect(idsOf(insertTasks(pagesOf(null, []), [taskOf("2")]))).toEqual(["2"]);
  expect(insertTasks(pages, [taskOf("2")])).toBe(pages);
});

test("an event that tells of no task is none", () => {
  const event = { type: "asset.reviewed", data: { assetId: 1 } };
  expect(taskOfEvent(event as never, undefined, false)).toBeNull();
});
