import { expect, test, vi } from "vitest";
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

test("the wait for a review ends with its time", async () => {
  vi.useFakeTimers();
  const asset = { assetId: 7, status: "PROCESSING" };
  const client = new Zoetrope({ baseUrl, apiKey, fetch: async () => Response.json(asset) });
  const waiting = client.assets.wait(7, { timeoutMs: 20_000 }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await waiting).toMatchObject({ name: "TimeoutError", code: "timeout" });
});
