import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { refusesUnknownOptions } from "../test/unknown-options.ts";
import * as sdk from "./index.ts";
import { Zoetrope } from "./zoetrope.ts";

const baseUrl = "https://media.example.com";
const apiKey = "zoe_test_none";

test("a key or an address that cannot be one is refused before anything is sent, without repeating it", () => {
  const keys = ["", "zoe_live_…", "zoe_live_secret\nzoe_live_secret", "zoe live"];
  for (const key of keys)
    expect(() => new Zoetrope({ baseUrl, apiKey: key })).toThrow(/^apiKey is (empty|not a key)/);
  const addresses = ["media.example.com", "ftp://a.example.com", "https://me:secret@a.example.com"];
  for (const address of addresses) {
    const open = () => new Zoetrope({ baseUrl: address, apiKey });
    expect(open).toThrow(/^baseUrl is not/);
    expect(open).not.toThrow(/secret/);
  }
});

test("every call refuses an option that it does not know, and a request is sent with what is not known here", async () => {
  await refusesUnknownOptions(sdk);
});

test("address and key come from the environment where they are not given; the base URL may end in /api/v1", async () => {
  vi.stubEnv("ZOETROPE_BASE_URL", "");
  vi.stubEnv("ZOETROPE_API_KEY", "");
  expect(() => new Zoetrope()).toThrow("set ZOETROPE_API_KEY");
  vi.stubEnv("ZOETROPE_API_KEY", apiKey);
  expect(() => new Zoetrope()).toThrow("set ZOETROPE_BASE_URL");
  vi.stubEnv("ZOETROPE_BASE_URL", `${baseUrl}/api/v1/`);
  const asked: unknown[] = [];
  const answer: typeof fetch = async (url, init) => {
    asked.push(url, new Headers(init?.headers).get("authorization"));
    return Response.json({});
  };
  await new Zoetrope({ fetch: answer }).credits();
  expect(asked).toEqual([`${baseUrl}/api/v1/account/credits`, `Bearer ${apiKey}`]);
  asked.length = 0;
  await new Zoetrope({ fetch: answer, session: {} }).credits();
  expect(asked[1]).toBe(null);
  vi.unstubAllEnvs();
});

test("a model that is newer than this package, numbers of seconds and plain requests compile, and aspectRatio has the model's own name", async () => {
  const bodies: { model: string; inputs: object }[] = [];
  const answer: typeof fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return Response.json({});
  };
  const client = new Zoetrope({ baseUrl, apiKey, fetch: answer });
  const model: string = "sd3";
  await client.quote({ model, inputs: { anything: 1 } });
  const prompts = ["a fox", "a heron"];
  const plain = prompts.map((prompt) => ({ model: "sd2", inputs: { prompt, duration: "4s" } }));
  for (const request of plain) await client.quote(request);
  client.batch(plain);
  client.batch("sd2", [{ prompt: "a fox", duration: 4, aspectRatio: "16:9" }]);
  // @ts-expect-error: ratio is a field of happyhorse
  client.batch("sd2", [{ prompt: "a fox", ratio: "16:9" }]);
  const inputs = { prompt: "a fox", aspectRatio: "16:9" as const };
  bodies.length = 0;
  for (const name of ["sd2", "sd2-fast", "happyhorse", "image-plus-2", "sd3"])
    await client.quote({ model: name, inputs });
  await client.quote({ model: "sd2", inputs: { prompt: "a fox", aspectRatio: null } as never });
  expect(bodies.pop()?.inputs).toEqual({ prompt: "a fox" });
  await client.quote({ model: "sd2", inputs: { prompt: "a fox", duration: 4 } });
  expect(bodies.pop()?.inputs).toEqual({ prompt: "a fox", duration: "4" });
  expect(bodies.map((body) => body.inputs)).toEqual([
    { prompt: "a fox", resolution: "1280x720" },
    { prompt: "a fox", resolution: "1280x720" },
    { prompt: "a fox", ratio: "16:9" },
    inputs,
    inputs,
  ]);
  const both = { ...inputs, resolution: "720x720" };
  await expect(client.quote({ model, inputs: both })).resolves.toEqual({});
  await expect(client.quote({ model: "sd2" as string, inputs: both })).rejects.toThrow("not both");
});

test("an address that cannot be reached is told with the reason", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const secure = new Zoetrope({ baseUrl: `https://127.0.0.1:${port}`, apiKey, retriesMax: 0 });
  await expect(secure.credits()).rejects.toThrow("cannot be reached (no TLS there: is it http?).");
  server.close();
  await once(server, "close");
  const nobody = new Zoetrope({ baseUrl: `http://127.0.0.1:${port}`, apiKey, retriesMax: 0 });
  await expect(nobody.credits()).rejects.toThrow(`${port} cannot be reached (ECONNREFUSED).`);
});

test("a time limit without end is none", async () => {
  vi.useFakeTimers();
  const answer = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(Response.json({ credits: 1 })), 60_000);
  });
  const client = new Zoetrope({ baseUrl, apiKey, timeoutMs: Infinity, fetch: () => answer });
  const credits = client.credits();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(await credits).toEqual({ credits: 1 });
});

test("a batch that could never begin a task is refused", async () => {
  const client = new Zoetrope({ baseUrl, apiKey });
  const requests = [{ model: "sd2" as const, inputs: { prompt: "a fox" } }];
  for (const concurrency of [0, -1, 1.5, Number.NaN])
    await expect(client.batch(requests, { concurrency }).next()).rejects.toThrow(
      "concurrency is not a whole number above 0",
    );
});

test("a task that is not over is not a failed one", () => {
  const client = new Zoetrope({ baseUrl, apiKey });
  const task = { taskId: "one", status: "PROCESSING", error: null, errorCode: null };
  const upscale = { taskId: "two", status: "processing", error: null, result: null };
  const notOver = { name: "ZoetropeError", code: "not_over" };
  expect(() => client.complete(task as never)).toThrow(expect.objectContaining(notOver));
  expect(() => client.upscales.complete(upscale as never)).toThrow(
    expect.objectContaining(notOver),
  );
});

test("a call without its arguments is told what it takes", async () => {
  const client = new Zoetrope({ baseUrl, apiKey, fetch: () => Promise.reject(new Error("sent")) });
  const { run, quote, tasks, batch } = client as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  > & {
    tasks: Record<"create", (...args: unknown[]) => unknown>;
  };
  const calls = {
    run: () => run?.call(client, "sd2"),
    quote: () => quote?.call(client),
    create: () => tasks.create(),
    "create without inputs": () => tasks.create({ model: "sd2" }),
    batch: () => batch?.call(client),
    "batch of one model": () => batch?.call(client, "sd2"),
  };
  for (const [name, call] of Object.entries(calls)) {
    const outcome = Promise.resolve().then(call);
    await expect(outcome, name).rejects.toMatchObject({ name: "ZoetropeError" });
    await expect(outcome, name).rejects.toThrow(/inputs/);
  }
});

test("the files of a task whose media was deleted are told as such", () => {
  const client = new Zoetrope({ baseUrl, apiKey });
  const expiresAt = Date.UTC(2026, 0, 2);
  const output = [{ url: `${baseUrl}/a.png`, mediaType: "image/png", sizeBytes: 1, expiresAt }];
  const task = { taskId: "one", status: "COMPLETED", output };
  const gone = { name: "OutputError", code: "output_gone" };
  expect(() => client.complete(task as never)).toThrow(expect.objectContaining(gone));
  expect(() => client.complete(task as never)).toThrow("was deleted at 2026-01-02T00:00:00.000Z");
});

test("onCreated is told the task and the key once, before its end, of a task and of an upscale", async () => {
  const over = { taskId: "one", status: "COMPLETED", output: [], error: null };
  const result = { url: `${baseUrl}/a.mp4`, mediaType: "video/mp4", sizeBytes: 1 };
  const upscaled = { taskId: "one", status: "completed", error: null, result };
  const client = new Zoetrope({
    baseUrl,
    apiKey,
    fetch: async (url, init) => {
      if (init?.method === "POST") return Response.json({ taskId: "one" });
      return Response.json(String(url).includes("upscale") ? upscaled : over);
    },
  });
  const reported: unknown[] = [];
  const options = {
    idempotencyKey: "mine",
    onCreated: (created: object) => reported.push(created),
    onProgress: ({ phase }: { phase: string }) => reported.push(phase),
  };
  await client.run("image-plus-2", { prompt: "a fox" }, options);
  await client.upscales.run(`${baseUrl}/a.mp4`, "2k", options);
  const created = { taskId: "one", idempotencyKey: "mine" };
  expect(reported).toEqual([created, "task", created, "task"]);
});

test("the wait for a review ends with its time", async () => {
  vi.useFakeTimers();
  const asset = { assetId: 7, status: "PROCESSING" };
  const client = new Zoetrope({ baseUrl, apiKey, fetch: async () => Response.json(asset) });
  const waiting = client.assets.wait(7, { timeoutMs: 20_000 }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await waiting).toMatchObject({ name: "TimeoutError", code: "timeout" });
});

test("what a task made is named, not sent; for videoUrls it is saved to the library once", async () => {
  const sent: [path: string, body: unknown][] = [];
  const asset = { assetId: 7, upstreamAssetId: "asset-1-a", status: "ACTIVE" };
  const client = new Zoetrope({
    baseUrl,
    apiKey,
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      if (init?.method === "POST") sent.push([pathname, JSON.parse(String(init.body))]);
      return Response.json(pathname.includes("/assets/") ? asset : { taskId: "b", credits: 1 });
    },
  });
  const link = `${baseUrl}/media/x.png`;
  const file = { url: link, mediaType: "image/png" };
  await client.quote({
    model: "happyhorse",
    inputs: { prompt: "x", urls: [{ taskId: "a" }, file, "task://a"] },
  });
  expect(sent.pop()?.[1]).toMatchObject({ inputs: { urls: ["task://a/0", link, "task://a"] } });
  for (const [source, body] of [
    [{ taskId: "a" }, { type: "task", taskId: "a" }],
    [file, { type: "url", url: link }],
    ["task://a/1", { type: "url", url: "task://a/1" }],
  ] as const) {
    await client.upscales.create(source, "4k");
    expect(sent.pop()).toMatchObject(["/api/v1/upscale/create", { source: body }]);
  }
  const reference = { videoInputMode: "reference", resolution: "720x720" } as const;
  const request = {
    model: "sd2" as const,
    inputs: { ...reference, videoUrls: [{ taskId: "a" }, "asset://asset-2-b"] },
  };
  for (const _ of [1, 2]) await client.quote(request);
  const videoUrls = ["asset://asset-1-a", "asset://asset-2-b"];
  expect(sent.map(([path]) => path)).toEqual([
    "/api/v1/assets/upload",
    "/api/v1/jobs/quote",
    "/api/v1/jobs/quote",
  ]);
  expect(sent[0]?.[1]).toEqual({ url: "task://a/0", type: "VIDEO" });
  expect(sent[2]?.[1]).toMatchObject({ inputs: { videoUrls } });
});
