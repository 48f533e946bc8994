import type { Fault } from "@zoetrope/testkit/faulty-proxy.ts";
import { expect, test } from "vitest";
import { TaskFailedError } from "../../src/errors.ts";
import type { BatchProgress, BatchResult } from "../../src/run-batch.ts";
import type { TaskRequest } from "../../src/types.ts";
import type { CompletedTask } from "../../src/zoetrope.ts";
import type { Bed } from "../bed.ts";

const tasksAtOnce = 3;

export function batchTests(bed: () => Bed, { requests: count }: { requests: number }): void {
  test(`a batch of ${count} under a limit of ${tasksAtOnce} keeps it full, sees every task through, and meets no 429`, async () => {
    const { proxy } = bed();
    const client = await bed().openClient({ openTasksMax: tasksAtOnce });
    const before = proxy.seen.requests.length;
    const requests = Array.from({ length: count }, (_, n): TaskRequest => {
      const fault = n % 4 === 0 ? "" : " [sandbox:refuse=input_blocked]";
      const prompt = `a fox, number ${n}${fault}`;
      return { model: "image-plus-2", inputs: { prompt, resolution: "1k" } };
    });
    const done: number[] = [];
    for await (const result of client.batch(requests, { concurrency: "account" })) {
      const isGood = result.index % 4 === 0;
      if (result.status === "completed") expect(result.value.files).toHaveLength(1);
      else expect(result.error).toBeInstanceOf(TaskFailedError);
      expect(result.status).toBe(isGood ? "completed" : "failed");
      done.push(result.index);
    }
    expect(done.toSorted((a, b) => a - b)).toEqual(requests.map((_, index) => index));
    const sent = proxy.seen.requests.slice(before);
    expect(sent.filter(({ status }) => status === 429)).toEqual([]);
    expect(sent.filter(({ path }) => path.endsWith("/createTask"))).toHaveLength(count);
    const opened: string[] = [];
    for await (const { taskId } of client.tasks.listAll({ limit: 50 })) opened.push(taskId);
    expect(new Set(opened).size).toBe(count);
    const spans: { from: number; to: number }[] = [];
    for await (const task of client.tasks.listAll())
      if (task.kind === "generation")
        spans.push({ from: task.createTime, to: task.completeTime ?? Number.POSITIVE_INFINITY });
    const atOnce = (time: number) =>
      spans.filter(({ from, to }) => from <= time && time < to).length;
    expect(Math.max(...spans.map(({ from }) => atOnce(from)))).toBe(tasksAtOnce);
  });

  test("a batch beside other tasks of the account takes the room that is left, and meets no 429", async () => {
    const { proxy } = bed();
    const client = await bed().openClient({ openTasksMax: tasksAtOnce });
    const inputs = { prompt: "a heron [sandbox:slow=3]", duration: "4s" as const };
    for (let n = 0; n < 2; n++) await client.tasks.create({ model: "sd2", inputs });
    const before = proxy.seen.requests.length;
    const prompt = "a fox [sandbox:refuse=input_blocked]";
    const requests = Array.from(
      { length: 6 },
      (): TaskRequest => ({ model: "image-plus-2", inputs: { prompt } }),
    );
    let done = 0;
    for await (const { status } of client.batch(requests)) if (status === "failed") done += 1;
    expect(done).toBe(6);
    const statuses = proxy.seen.requests.slice(before).map(({ status }) => status);
    expect(statuses).not.toContain(429);
  });

  test("a batch through lost answers and passing refusals makes each task once", async () => {
    const { proxy } = bed();
    const client = await bed().openClient({ openTasksMax: tasksAtOnce });
    const prompt = "a fox [sandbox:refuse=input_blocked]";
    const requests = Array.from(
      { length: 6 },
      (): TaskRequest => ({ model: "image-plus-2", inputs: { prompt } }),
    );
    const faults: (Fault | undefined)[] = [
      ...Array.from({ length: 6 }, (): Fault => "reset after"),
      ...Array.from({ length: 4 }, () => ({ status: 429, body: { code: "rate_limited" } })),
      ...Array.from({ length: 4 }, () => ({ status: 409, body: { code: "request_in_progress" } })),
    ];
    proxy.spoil = ({ path }) => (path.endsWith("/createTask") ? faults.shift() : undefined);
    let done = 0;
    for await (const { status } of client.batch(requests)) if (status === "failed") done += 1;
    proxy.spoil = null;
    expect(done).toBe(6);
    expect(faults).toEqual([]);
    expect((await client.tasks.list()).items).toHaveLength(6);
  });

  test("a batch tells its tasks on their way and takes upscales; repeated with its key it makes no task again", async () => {
    const client = await bed().openClient({ openTasksMax: tasksAtOnce });
    const prompts = ["a fox", "a heron [sandbox:refuse=input_blocked]"];
    const inputs = prompts.map((prompt) => ({ prompt, resolution: "1k" as const }));
    const run = async () => {
      const seen = new Map<number, Set<string>>();
      const onProgress = ({ index, taskId }: BatchProgress) =>
        void seen.set(index, (seen.get(index) ?? new Set()).add(taskId));
      const options = { idempotencyKey: "nightly", onProgress };
      const results: BatchResult<CompletedTask>[] = [];
      for await (const result of client.batch("image-plus-2", inputs, options))
        results.push(result);
      for (const { index, taskId } of results)
        expect([...(seen.get(index) ?? [])]).toEqual([taskId]);
      return new Map(results.map(({ index, taskId, status }) => [index, `${taskId} ${status}`]));
    };
    const first = await run();
    expect(first.size).toBe(2);
    expect(await run()).toEqual(first);
    const source = "https://example.com/none.mp4";
    const upscale = { source, targetResolution: "1080p" as const, maxCredits: 1 };
    const request = {
      model: "image-plus-2" as const,
      inputs: { prompt: "a fox", resolution: "1k" as const },
    };
    const kinds = new Map<number, string>();
    for await (const result of client.batch([upscale, request]))
      kinds.set(result.index, result.status);
    expect(kinds).toEqual(
      new Map([
        [0, "failed"],
        [1, "completed"],
      ]),
    );
  });

  test("leaving a batch begins no further task", async () => {
    let begun = 0;
    const counting: typeof fetch = (input, init) => {
      if (String(input instanceof Request ? input.url : input).endsWith("/createTask")) begun++;
      return fetch(input, init);
    };
    const client = await bed().openClient({ openTasksMax: 2, fetch: counting });
    const prompt = "a fox [sandbox:refuse=input_blocked]";
    const requests = Array.from(
      { length: 50 },
      (): TaskRequest => ({ model: "image-plus-2", inputs: { prompt } }),
    );
    for await (const _result of client.batch(requests)) break;
    const begunBefore = begun;
    await client.tasks.list();
    await client.credits();
    expect(begun).toBe(begunBefore);
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(10);
  });
}
