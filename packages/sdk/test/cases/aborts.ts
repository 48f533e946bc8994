import { join } from "node:path";
import type { Fault } from "@zoetrope/testkit/faulty-proxy.ts";
import { expect, test } from "vitest";
import { type Bed, endsAtOnce } from "../bed.ts";

const inputs = { prompt: "a heron [sandbox:hang]" };
const request = { model: "sd2" as const, inputs };
const unavailable: Fault = { status: 503, headers: { "retry-after": "50" } };

export function abortTests(bed: () => Bed): void {
  /** Aborts once the proxy has met this many requests of the path. */
  const ends = async (
    path: string,
    fault: Fault | undefined,
    begin: (signal: AbortSignal) => Promise<unknown>,
    requests = 1,
  ) => {
    const { proxy } = bed();
    let met = 0;
    proxy.spoil = ({ path: asked }) => {
      if (!asked.startsWith(path)) return undefined;
      met += 1;
      return fault;
    };
    try {
      return await endsAtOnce(begin, () => met >= requests);
    } finally {
      proxy.spoil = null;
      proxy.cut();
    }
  };

  test("an abort ends every call at once, wherever it waits", async () => {
    const client = await bed().openClient({ openTasksMax: 100 });
    const { taskId } = await client.tasks.create(request);
    const create = "/api/v1/jobs/createTask";
    const query = "/api/v1/jobs/queryTask";
    const run = (signal: AbortSignal) => client.run("sd2", inputs, { signal });
    const wait = (signal: AbortSignal) => client.tasks.wait(taskId, { signal });
    const collect = async (iterable: AsyncIterable<unknown>) => {
      for await (const _one of iterable);
    };
    const batch = (signal: AbortSignal) => collect(client.batch([request, request], { signal }));
    const events = (signal: AbortSignal) => collect(client.events(0, { signal }));
    const file = Buffer.alloc(1_000, "z");
    const upload = (signal: AbortSignal) => client.assets.upload(file, { type: "IMAGE", signal });
    expect(await ends(create, "hang", run)).toBe(true);
    expect(await ends(create, unavailable, run)).toBe(true);
    expect(await ends(query, undefined, run)).toBe(true);
    expect(await ends(query, undefined, wait)).toBe(true);
    expect(await ends(query, "hang", wait)).toBe(true);
    expect(await ends(query, unavailable, wait)).toBe(true);
    expect(await ends("/api/v1/events", undefined, events)).toBe(true);
    expect(await ends("/api/v1/events", unavailable, events)).toBe(true);
    expect(await ends(query, undefined, batch)).toBe(true);
    expect(await ends(create, "hang", batch)).toBe(true);
    expect(await ends("/media/uploads/", "hang", upload)).toBe(true);
    expect(await ends("/api/v1/assets/uploads", unavailable, upload)).toBe(true);
  });

  test("an abort ends long polling and a download at once", async () => {
    const { proxy, scratch } = bed();
    const client = await bed().openClient();
    const { taskId } = await client.tasks.create(request);
    let polls = 0;
    proxy.spoil = ({ headers }) => {
      if (headers["accept"] === "text/event-stream")
        return { status: 503, body: { code: "streams_full" } };
      if (headers["prefer"] !== undefined) polls += 1;
      return undefined;
    };
    const polling = (signal: AbortSignal) => client.tasks.wait(taskId, { signal });
    expect(await endsAtOnce(polling, () => polls === 1)).toBe(true);
    proxy.spoil = null;
    const image = await client.run("image-plus-2", { prompt: "a fox", resolution: "1k" });
    const path = join(scratch.path, "aborted.png");
    const download = (signal: AbortSignal) =>
      image.files[0]?.download(path, signal) ?? Promise.resolve();
    expect(await ends("/media/", "hang", download)).toBe(true);
  });
}
