import { lookup } from "node:dns/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { startReceiver } from "../../test/harness/receiver.ts";
import { createSafeFetch } from "./safe-fetch.ts";

// DNS is the attacker's here: a name of theirs that looks public and resolves as they please.
vi.mock("node:dns/promises", () => ({ lookup: vi.fn() }));

const get = { method: "GET", protocols: ["http:"], totalMsMax: 5_000 } as const;
const answers = (...addresses: string[]) =>
  vi.mocked(lookup).mockResolvedValue(
    addresses.map((address) => ({ address, family: 4 })) as never, // the overload for `all: true`
  );
beforeEach(() => {
  vi.mocked(lookup).mockReset();
});

test("a public name that resolves to loopback is reached only where loopback is allowed", async () => {
  await using receiver = await startReceiver();
  const url = `http://films.example.com:${new URL(receiver.url).port}/`;
  answers("127.0.0.1");
  const strict = createSafeFetch({ allowLoopback: false });
  await expect(strict(url, get)).rejects.toThrow("address not public");
  expect(receiver.received).toEqual([]);
  const lenient = createSafeFetch({ allowLoopback: true });
  expect((await lenient(url, get)).status).toBe(200);
  await Promise.all([strict.close(), lenient.close()]);
});

test("one private address among public ones is enough to refuse, and the name is asked once", async () => {
  answers("8.8.8.8", "10.0.0.1");
  const safeFetch = createSafeFetch({ allowLoopback: false });
  await expect(safeFetch("http://films.example.com/", get)).rejects.toThrow("address not public");
  expect(lookup).toHaveBeenCalledTimes(1);
  await safeFetch.close();
});

test("a name that is never resolved is given up in time", async () => {
  vi.mocked(lookup).mockReturnValue(new Promise(() => {}) as never);
  const safeFetch = createSafeFetch({ allowLoopback: false });
  const fetched = safeFetch("http://films.example.com/", { ...get, totalMsMax: 200 });
  await expect(fetched).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }));
  await safeFetch.close();
}, 2_000);
