import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { expect, test } from "vitest";
import { OutputError, TaskFailedError, TimeoutError } from "../../src/errors.ts";
import type { GenerationTask } from "../../src/types.ts";
import type { Bed } from "../bed.ts";

const hanging = { model: "sd2" as const, inputs: { prompt: "a heron [sandbox:hang]" } };

export function taskTests(bed: () => Bed): void {
  test("run answers a file that plays, and reports every state on the way", async () => {
    const { scratch } = bed();
    const client = await bed().openClient();
    const states: string[] = [];
    const onProgress = ({ status }: { status: string }) => states.push(status);
    const task = await client.run("sd2", { prompt: "a heron", duration: "4s" }, { onProgress });
    const path = join(scratch.path, "heron.mp4");
    await task.files[0]?.download(path);
    expect((await probeVideo(path)).seconds).toBeCloseTo(4, 0);
    expect(states.at(-1)).toBe("COMPLETED");
    expect(new Set(states).size).toBe(states.length);
    const blob = await task.files[0]?.blob();
    expect(blob?.size).toBe((await readFile(path)).length);
    expect(blob?.type).toBe("video/mp4");
  });

  test("a download goes on after lost connections, renews a link that has ended, and is whole or not there", async () => {
    const { scratch, proxy } = bed();
    const client = await bed().openClient();
    const made = await client.run("image-plus-2", { prompt: "a fox", resolution: "1k" });
    const [output] = made.output ?? [];
    if (output === undefined) throw new Error("no output");
    const whole = Buffer.from((await (await fetch(output.url)).arrayBuffer()) as ArrayBuffer);
    const stale = { ...output, url: `${proxy.url}/media/gone.png` };
    const { files } = client.complete({ ...made, output: [stale] });
    const path = pathToFileURL(join(scratch.path, "fox.png"));
    let cuts = 0;
    proxy.spoil = ({ path: asked }) =>
      asked.startsWith("/media/") && !asked.includes("gone") && cuts++ < 2
        ? { cutAfterBytes: 100 }
        : undefined;
    await files[0]?.download(path);
    expect(await readFile(path)).toEqual(whole);
    expect(cuts).toBe(3);
    const stream = (await files[0]?.stream()) ?? null;
    expect(Buffer.from(await new Response(stream).arrayBuffer())).toEqual(whole);
    proxy.spoil = null;
    const nested = join(scratch.path, "a/new/folder/fox.png");
    await client.complete(made).files[0]?.download(nested);
    expect(await readFile(nested)).toEqual(whole);
    const inFile = client.complete(made).files[0]?.download(join(nested, "fox.png"));
    await expect(inFile).rejects.toMatchObject({ name: "FileError", code: "file_unwritable" });
    await client.tasks.deleteMedia(made.taskId);
    const missing = join(scratch.path, "missing.png");
    const gone = client.complete(made).files[0]?.download(missing);
    await expect(gone).rejects.toThrow(OutputError);
    expect((await readdir(scratch.path)).filter((name) => /part$|missing/.test(name))).toEqual([]);
  });

  test("a stream shows every state until the last", async () => {
    const client = await bed().openClient();
    const inputs = { prompt: "a fox" };
    const { taskId } = await client.tasks.create({ model: "image-plus-2", inputs });
    const states: string[] = [];
    for await (const { status } of client.tasks.stream(taskId)) states.push(status);
    expect(states.at(-1)).toBe("COMPLETED");
    expect(new Set(states).size).toBe(states.length);
  });

  test("waiting survives cut connections, faults and a service without streams, and tells no state twice", async () => {
    const { proxy } = bed();
    const client = await bed().openClient();
    const { taskId } = await client.tasks.create({ model: "sd2", inputs: { prompt: "a heron" } });
    let spoilt = 0;
    proxy.spoil = ({ headers }) => {
      if (headers["accept"] === "text/event-stream")
        return { status: 503, body: { code: "streams_full" } };
      spoilt += 1;
      return spoilt === 1 ? "reset after" : spoilt === 2 ? { status: 500 } : undefined;
    };
    const states: string[] = [];
    const onProgress = ({ status }: GenerationTask) => states.push(status);
    const task = await client.tasks.wait(taskId, { onProgress });
    proxy.spoil = null;
    expect(task.status).toBe("COMPLETED");
    expect(new Set(states).size).toBe(states.length);
    expect(spoilt).toBeGreaterThan(2);
  });

  test("waiting says so when its time is over, with what is needed to go on", async () => {
    const client = await bed().openClient();
    const { taskId } = await client.tasks.create(hanging);
    const waiting = client.tasks.wait(taskId, { timeoutMs: 1 });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError", taskId, code: "timeout" });
    const running = client.run("sd2", hanging.inputs, { timeoutMs: 1_000, idempotencyKey: "mine" });
    const error = await running.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ idempotencyKey: "mine", message: expect.any(String) });
  });

  test("a task that fails throws its code, and costs nothing", async () => {
    const client = await bed().openClient();
    const inputs = { prompt: "a heron [sandbox:fail]" };
    const failing = client.run("sd2", inputs, { idempotencyKey: "mine" });
    const error = await failing.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TaskFailedError);
    expect(error).toMatchObject({ code: "vendor_failed", idempotencyKey: "mine" });
    expect((await client.credits()).credits).toBe(10_000);
  });

  test("an upscale of a file answers a file of the wanted resolution; the same file is uploaded once, and its asset is a source too", async () => {
    const { scratch } = bed();
    const client = await bed().openClient();
    const path = join(scratch.path, "small.mp4");
    await renderFile(path, pattern({ size: "320x180", rate: 5, seconds: 2 }));
    const shares: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => shares.push(progress);
    const { file } = await client.upscales.run(pathToFileURL(path), "1080p", { onProgress });
    expect(file.height).toBe(1080);
    expect(shares.at(-1)).toBe(100);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    await client.upscales.create(await readFile(path), "1080p");
    const { items } = await client.assets.list();
    expect(items).toHaveLength(1);
    const [asset] = items;
    if (asset === undefined) throw new Error("no asset");
    await client.upscales.create(asset, "1080p");
    const text = await client.assets.upload(Buffer.from("not a video"), { type: "VIDEO" });
    const failing = client.upscales.run(text, "1080p", { idempotencyKey: "mine" });
    await expect(failing).rejects.toMatchObject({
      // Whichever comes first: the review that finds no video, or the task that cannot read one.
      name: expect.stringMatching(/^(TaskFailedError|InvalidParametersError)$/),
      idempotencyKey: "mine",
    });
  });
}

/** Waits for a task that does not end and no longer changes, and returns the number of requests that took. */
export async function countRequests(bed: Bed, seconds: number, withoutStreams: boolean) {
  const client = await bed.openClient();
  const { taskId } = await client.tasks.create(hanging);
  await expect.poll(() => client.tasks.get(taskId)).toMatchObject({ status: "PROCESSING" });
  const { proxy } = bed;
  proxy.spoil = ({ headers }) =>
    withoutStreams && headers["accept"] === "text/event-stream"
      ? { status: 429, body: { code: "too_many_streams" } }
      : undefined;
  const before = countOf(proxy, taskId);
  const waiting = client.tasks.wait(taskId, { timeoutMs: seconds * 1000 });
  await expect(waiting).rejects.toThrow(TimeoutError);
  proxy.spoil = null;
  return countOf(proxy, taskId) - before;
}

function countOf({ seen }: Bed["proxy"], taskId: string) {
  return seen.requests.filter(({ path }) => path.includes(`taskId=${taskId}`)).length;
}
