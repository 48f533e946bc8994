import { succeeded } from "@zoetrope/testkit/api-client.ts";
import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { anyVideo } from "../src/examples.ts";

interface Page {
  items: {
    taskId: string;
    kind: string;
    status: string;
    output: Record<string, unknown>[] | null;
  }[];
  nextCursor: string | null;
}

const list = async (query: string, client = main) =>
  succeeded<Page>(await client.get(`/api/v1/jobs/list${query}`));

test("a finished task is in its owner's list as it is queried, with a poster, and in nobody else's", async () => {
  const taskId = await main.create(anyVideo.model, anyVideo.inputs);
  await main.follow(taskId);
  const { items } = await list("?limit=100&kind=generation&status=COMPLETED");
  const item = items.find((one) => one.taskId === taskId);
  expect(item).toMatchObject({ ...(await main.task(taskId)), kind: "generation" });
  const [output] = item?.output ?? [];
  expect(output).toMatchObject({ mediaType: "video/mp4", sizeBytes: expect.any(Number) });
  const poster = await fetch(String(output?.["posterUrl"]));
  expect(poster.headers.get("content-type")).toBe("image/webp");
  await poster.body?.cancel();
  const others = await list("?limit=100", other);
  expect(others.items.map((one) => one.taskId)).not.toContain(taskId);
});

test("the list comes newest first, page by page, each once", async () => {
  const newest = await main.create(anyVideo.model, anyVideo.inputs);
  const first = await list("?limit=2");
  const second = await list(`?limit=2&cursor=${first.nextCursor}`);
  const ids = [...first.items, ...second.items].map(({ taskId }) => taskId);
  expect(ids).toEqual([...new Set(ids)].sort().reverse());
  expect(ids.some((id) => id >= newest)).toBe(true); // others may create tasks meanwhile
});
