import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createWaker } from "../engine/waker.ts";
import type { TaskId } from "../ids.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import { createTask } from "./create-task.ts";
import { advanceEach } from "./generation-service.ts";

let vendor: Receiver; // accepts every job, and is asked for videos only by who collects them
let engine: Receiver;
let bed: TestBed;
let ctx: TestBed["ctx"];
beforeAll(async () => {
  let jobs = 0;
  engine = await startReceiver();
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
  ctx = { ...bed.ctx, waker: createWaker([engine.url], bed.ctx.log) };
});
afterAll(async () => {
  await ctx.waker.close();
  await bed[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

async function created(body: Parameters<typeof createTask>[2]): Promise<TaskId> {
  const account = await bed.openAccount({ credits: 100_000 });
  return (await createTask(bed.ctx, account, body, null)).taskId;
}
const video = { model: "sd2", inputs: { prompt: "a fox" } };
const submitEach = (taskIds: TaskId[]) =>
  advanceEach(ctx, "submit", Object.fromEntries(taskIds.map((id) => [id, null])));
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

/** The tasks that were woken since in invocations of their own. */
async function wokenAlone(handler: "submit" | "poll", count: number): Promise<string[]> {
  await expect.poll(() => alone(handler).length).toBe(count);
  return alone(handler);
}
const alone = (handler: string) =>
  engine.received.flatMap(({ path }) => {
    const [, kind, taskId = "", name] = path.split("/");
    return kind === "generation" && name === handler ? [taskId] : [];
  });

test("what may take minutes is not begun in a batch: images, and files to be fetched", async () => {
  const image = await created({ model: "image-pro-2", inputs: { prompt: "a fox" } });
  const urls = ["https://files.example/a.png"];
  const withFile = await created({ model: "sd2", inputs: { prompt: "a fox", urls } });
  const calls = vendor.received.length;
  expect(await submitEach([image, withFile])).toEqual([]);
  expect(new Set(await wokenAlone("submit", 2))).toEqual(new Set([image, withFile]));
  expect(vendor.received).toHaveLength(calls);
});

test("a video is not collected in a batch, where nothing keeps a second collection of it away", async () => {
  const taskId = await created(video);
  await submitEach([taskId]);
  const poll = () => advanceEach(ctx, "poll", { [taskId]: null });
  expect(await poll()).toEqual([]);
  expect(await poll(), "the end is in the row").toEqual([]);
  expect(await wokenAlone("poll", 2)).toEqual([taskId, taskId]);
  expect(vendor.received.filter(({ path }) => path === "/video.mp4")).toEqual([]);
  expect((await findOpenTask(ctx.db, taskId))?.resultUrl).toBe(`${vendor.url}/video.mp4`);
});

test("a job whose vendor does not answer holds back no video of the same batch", async () => {
  const [slow, ready] = await Promise.all([created(video), created(video)]);
  await submitEach([slow, ready]);
  const slowJob = await jobOf(slow);
  const answer = vendor.answer;
  const held = Promise.withResolvers<void>();
  vendor.answer = async (request, nth) => {
    if (request.path.endsWith(`/${slowJob}`)) await held.promise;
    return answer(request, nth);
  };
  const before = alone("poll").length;
  const polling = advanceEach(ctx, "poll", { [slow]: null, [ready]: null });
  expect((await wokenAlone("poll", before + 1)).at(-1)).toBe(ready);
  held.resolve();
  expect(await polling).toEqual([]);
  vendor.answer = answer;
});
