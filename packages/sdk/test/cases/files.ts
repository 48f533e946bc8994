import { openAsBlob } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { beforeAll, expect, test } from "vitest";
import { FileError } from "../../src/errors.ts";
import type { Made } from "../../src/made.ts";
import type { FileLike } from "../../src/read-file.ts";
import type { Bed } from "../bed.ts";

const chunkBytes = 2 * 1024 * 1024;

export function fileTests(bed: () => Bed): void {
  let path: string;
  beforeAll(async () => {
    path = join(bed().scratch.path, "frame.png");
    await renderFile(path, ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"]);
  });

  test("a file where a URL is expected is uploaded, reviewed and used, once for all its forms", async () => {
    const client = await bed().openClient();
    const blob = await openAsBlob(path);
    const bytes = await readFile(path);
    const forms: FileLike[] = [
      blob as Blob,
      new File([bytes], "frame.png"),
      bytes,
      new Uint8Array(bytes).buffer,
      blob.stream() as ReadableStream<Uint8Array>,
      pathToFileURL(path),
    ];
    const inputs = { prompt: "at night", urls: forms, resolution: "1k" as const };
    const { status } = await client.run("image-plus-2", inputs);
    expect(status).toBe("COMPLETED");
    const { items } = await client.assets.list();
    expect(items).toHaveLength(1);
    await client.assets.delete(items[0]?.assetId ?? 0);
    await client.quote({ model: "image-plus-2", inputs: { prompt: "at night", urls: [bytes] } });
    expect((await client.assets.list()).items).toHaveLength(1);
  });

  test("no person is waited for where the model needs no review; where it does, that is told, and a price is known at once", async () => {
    const account = await bed().openAccount();
    const client = await bed().openClient(account);
    const file = pathToFileURL(path);
    const reported: string[] = [];
    const onProgress = ({ phase }: { phase: string }) => void reported.push(phase);
    const inputs = { prompt: "at night", urls: [file], resolution: "1k" as const };
    await client.run("image-plus-2", inputs, { onProgress });
    expect(reported.slice(0, 2)).toEqual(["upload", "task"]);
    const [asset] = (await client.assets.list()).items;
    expect(asset).toMatchObject({ status: "PROCESSING", usableAfterReview: ["sd2", "sd2-fast"] });
    const video = { prompt: "it moves", urls: [file] };
    expect((await client.quote({ model: "sd2", inputs: video })).credits).toBeGreaterThan(0);
    reported.length = 0;
    const waiting = client.run("sd2", video, { onProgress, timeoutMs: 3_000 });
    const error = await waiting.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "TimeoutError", phase: "review", taskId: null });
    expect(String(error)).toContain(`The review of urls[0] (asset ${asset?.assetId})`);
    expect(reported).toEqual(["upload", "review"]);
    expect((await client.tasks.list()).items).toHaveLength(1);
  });

  test("a program that was restarted repeats a call with a file by its idempotency key, and there is one task and one asset", async () => {
    const account = await bed().openAccount();
    const options = { idempotencyKey: "mine" };
    const inputs = { prompt: "at night", urls: [pathToFileURL(path)], resolution: "1k" as const };
    const run = async () => (await bed().openClient(account)).run("image-plus-2", inputs, options);
    const [first, again] = [await run(), await run()];
    expect(again.taskId).toBe(first.taskId);
    expect((await (await bed().openClient(account)).assets.list()).items).toHaveLength(1);
  });

  test("a program that was restarted repeats a call with an output as its video, and there is one task and one asset", async () => {
    const account = await bed().openAccount();
    const open = () => bed().openClient(account);
    const made = await (await open()).run("sd2-fast", { prompt: "a heron", duration: "4s" });
    const options = { idempotencyKey: "mine" };
    const run = async (video: Made | string) => {
      const mode = { videoInputMode: "reference", resolution: "720x720" } as const;
      return (await open()).run("sd2", { ...mode, videoUrls: [video] }, options);
    };
    let saves = 0;
    bed().proxy.spoil = ({ path: asked }) =>
      asked.endsWith("/assets/upload") && saves++ === 0 ? "reset after" : undefined;
    const { taskId } = await run(`task://${made.taskId}`);
    bed().proxy.spoil = null;
    expect(saves).toBe(2);
    for (const video of [`task://${made.taskId}/0`, made])
      expect((await run(video)).taskId).toBe(taskId);
    const client = await open();
    expect((await client.assets.list()).items).toHaveLength(1);
    expect((await client.tasks.list()).items).toHaveLength(2);
  });

  test("a web address may be a URL object; what is no image is refused with the reason", async () => {
    const client = await bed().openClient();
    const web = new URL("https://example.com/a.png");
    await client.quote({ model: "image-plus-2", inputs: { prompt: "at night", urls: [web] } });
    const text = new Blob(["not an image"]);
    const run = client.run("image-plus-2", { prompt: "at night", urls: [text] });
    await expect(run).rejects.toMatchObject({ name: "FileError", code: "file_refused" });
    const missing = pathToFileURL(`${path}.none`);
    const absent = client.run("image-plus-2", { prompt: "at night", urls: [missing] });
    await expect(absent).rejects.toMatchObject({ code: "file_unreadable" });
    await expect(absent).rejects.toThrow("frame.png.none cannot be read");
    const local = client.quote({
      model: "image-plus-2",
      inputs: { prompt: "a", urls: ["./a.png"] },
    });
    await expect(local).rejects.toThrow("urls[0] is neither a URL nor a file");
    await expect(client.assets.upload(new Blob([]), { type: "IMAGE" })).rejects.toThrow(FileError);
  });

  test("an upload goes on after lost connections and expired links with what is missing", async () => {
    const { proxy, scratch } = bed();
    const client = await bed().openClient();
    const large = join(scratch.path, "large.bin");
    await writeFile(large, Buffer.alloc(5 * chunkBytes + 1, "x"));
    const puts = () => proxy.seen.requests.filter(({ method }) => method === "PUT");
    const before = puts().length;
    let count = 0;
    proxy.spoil = ({ method, path: asked }) => {
      if (asked.endsWith("/assets/uploads") && method === "POST" && count++ === 0)
        return "reset after";
      if (method !== "PUT") return undefined;
      count += 1;
      return count === 3 ? "reset before" : count === 5 ? { status: 403 } : undefined;
    };
    const shares: number[] = [];
    const onProgress = (share: number) => shares.push(share);
    const file = pathToFileURL(large);
    const asset = await client.assets.upload(file, { type: "VIDEO", onProgress });
    proxy.spoil = null;
    expect(asset.assetId).toEqual(expect.any(Number));
    expect(shares.at(-1)).toBe(1);
    expect(puts().length - before).toBe(6 + 2);
  });

  test("an upload that was given up is resumed by the same file, also by another client with its id", async () => {
    const { proxy } = bed();
    const account = await bed().openAccount();
    const client = await bed().openClient(account);
    const file = Buffer.alloc(2 * chunkBytes + 1, "y");
    const controller = new AbortController();
    let puts = 0;
    proxy.spoil = ({ method }) => {
      if (method !== "PUT") return undefined;
      puts += 1;
      return puts > 1 ? "hang" : undefined;
    };
    const onProgress = () => controller.abort(new Error("enough"));
    const { signal } = controller;
    const uploading = client.assets.upload(file, { type: "VIDEO", signal, onProgress });
    await expect(uploading).rejects.toThrow("enough");
    puts = 0;
    proxy.spoil = ({ method }) => {
      if (method === "PUT") puts += 1;
      return undefined;
    };
    await client.assets.upload(file, { type: "VIDEO" });
    expect(puts).toBe(2);
    const other = Buffer.alloc(chunkBytes, "z");
    proxy.spoil = ({ path: asked }) => (asked.endsWith("/complete") ? "reset before" : undefined);
    const cut = await client.assets.upload(other, { type: "VIDEO" }).catch((error) => error);
    expect(cut).toMatchObject({ code: "upload_interrupted", uploadId: expect.any(String) });
    puts = 0;
    proxy.spoil = ({ method }) => {
      if (method === "PUT") puts += 1;
      return undefined;
    };
    const { uploadId } = cut;
    const another = await bed().openClient(account);
    await another.assets.upload(other, { type: "VIDEO", uploadId });
    proxy.spoil = null;
    expect(puts).toBe(0);
  });

  test("an upload over a link that carries one chunk at a time arrives", async () => {
    let open = 0;
    const narrow: typeof fetch = async (url, init) => {
      if (init?.method !== "PUT") return fetch(url, init);
      open += 1;
      try {
        await setImmediate(); // the others have begun too
        if (open > 1) throw new TypeError("fetch failed");
        return await fetch(url, init);
      } finally {
        await setImmediate();
        open -= 1;
      }
    };
    const client = await bed().openClient({ fetch: narrow });
    const file = Buffer.alloc(2 * chunkBytes + 1, "n");
    const asset = await client.assets.upload(file, { type: "VIDEO" });
    expect(asset.assetId).toEqual(expect.any(Number));
  });
}
