import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { TaskId } from "../ids.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import { createTask } from "./create-task.ts";
import { advanceEach } from "./generation-service.ts";

let vendor: Receiver; // accepts every job, and is asked for videos only by who collects them
let bed: TestBed;
beforeAll(async () => {
  let jobs = 0;
  vendor = await startReceiver(({ method, path }) =>
    method === "POST"
      ? { status: 200, body: { id: `job-${++jobs}` } }
      : {
          status: 200,
          body: {
            id: path.slice(path.lastIndexOf("/") + 1),
            status: "succeeded",
            content: { video_url: `${vendor.url}/video.mp4` },
          },
        },
  );
  const account = (name: string, kind: string) => ({
    name,
    kind,
    baseUrl: vendor.url,
    apiKey: "k",
  });
  bed = await openTestBed({
    VENDORS: JSON.stringify([account("videos", "ark"), account("images", "openai")]),
  });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});

async function created(body: Parameters<typeof createTask>[2]): Promise<TaskId> {
  const account = await bed.openAccount({ credits: 100_000 });
  return (await createTask(bed.ctx, account, body, null)).taskId;
}
const video = { model: "sd2", inputs: { prompt: "a fox" } };
const submitEach = (taskIds: TaskId[]) =>
  advanceEach(bed.ctx, "submit", Object.fromEntries(taskIds.map((id) => [id, null])));
const jobOf = async (taskId: TaskId) => (await findOpenTask(bed.ctx.db, taskId))?.vendorJobId;

test("all tasks of a batch are submitted, and one that is over or unknown is nothing to do", async () => {
  const tasks = await Promise.all(Array.from({ length: 20 }, () => created(video)));
  const unknown = tasks[0]?.replace(/.{4}$/, "0000") as TaskId;
  expect(await submitEach([...tasks, unknown])).toEqual([]);
  const jobs = await Promise.all(tasks.map(jobOf));
  expect(new Set(jobs).size).toBe(20);
  expect(jobs).not.toContain(null);
  const calls = vendor.received.length;
  expect(await submitEach(tasks)).toEqual([]); // as after a crash
  expect(vendor.received).toHaveLength(calls);
});

test("a task that cannot be submitted leaves the batch for an invocation of its own, and no other does", async () => {
  const bad = await created(video);
  const good = await Promise.all(Array.from({ length: 5 }, () => created(video)));
  await bed.database.sql(
    `alter table open_tasks add constraint poison check (task_id <> '${bad}' or submit_started_at is null)`,
  );
  expect(await submitEach([bad, ...good])).toEqual([bad]);
  expect(await Promise.all(good.map(jobOf))).not.toContain(null);
  await bed.database.sql("alter table open_tasks drop constraint poison");
});

test("what may take minutes is not begun in a batch: images, and files to be fetched", async () => {
  const image = await created({ model: "image-pro-2", inputs: { prompt: "a fox" } });
  const urls = ["https://files.example/a.png"];
  const withFile = await created({ model: "sd2", inputs: { prompt: "a fox", urls } });
  const calls = vendor.received.length;
  expect(await submitEach([image, withFile])).toEqual([image, withFile]);
  expect(vendor.received).toHaveLength(calls);
});

test("a video is not collected in a batch, where nothing keeps a second collection of it away", async () => {
  const taskId = await created(video);
  await submitEach([taskId]);
  const poll = () => advanceEach(bed.ctx, "poll", { [taskId]: null });
  expect(await poll()).toEqual([taskId]);
  expect(await poll(), "the end is in the row").toEqual([taskId]);
  expect(vendor.received.filter(({ path }) => path === "/video.mp4")).toEqual([]);
  expect((await findOpenTask(bed.ctx.db, taskId))?.resultUrl).toBe(`${vendor.url}/video.mp4`);
});
