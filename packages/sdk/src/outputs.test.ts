import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openOutput, type Stored } from "./outputs.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a download whose server accepts and says nothing is begun again, and given up in the end", async () => {
  let opened = 0;
  const hang: typeof fetch = (_url, init) => {
    opened += 1;
    return new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  };
  const stored = { url: "https://media.example.com/a.png", mediaType: "image/png", sizeBytes: 9 };
  const file = openOutput({ fetch: hang, renew: async () => null }, stored as Stored);
  const reading = file.blob().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await reading).toMatchObject({ name: "ConnectionError" });
  expect(opened).toBe(6);
});
