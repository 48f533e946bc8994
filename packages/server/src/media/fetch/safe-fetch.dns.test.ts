import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect, test } from "vitest";
import { createSafeFetch } from "./safe-fetch.ts";

// DNS is the attacker's here: a name of theirs that looks public and resolves as they please.
const get = { method: "GET", protocols: ["http:"], totalMsMax: 5_000 } as const;

function dnsOf(...addresses: string[]) {
  const asked: string[] = [];
  const resolveName = async (name: string) => {
    asked.push(name);
    return addresses;
  };
  return Object.assign(resolveName, { asked });
}

const strictWith = (resolveName: (name: string) => Promise<string[]>) =>
  createSafeFetch({ allowLoopback: false }, undefined, resolveName);
const lenientWith = (resolveName: (name: string) => Promise<string[]>) =>
  createSafeFetch({ allowLoopback: true }, undefined, resolveName);

test("a public name that resolves to loopback is reached only where loopback is allowed", async () => {
  await using receiver = await startReceiver();
  const url = `http://videos.example.com:${new URL(receiver.url).port}/`;
  const strict = strictWith(dnsOf("127.0.0.1"));
  await expect(strict(url, get)).rejects.toThrow("address not public");
  expect(receiver.received).toEqual([]);
  const lenient = lenientWith(dnsOf("127.0.0.1"));
  expect((await lenient(url, get)).status).toBe(200);
  await Promise.all([strict.close(), lenient.close()]);
});

test.each([
  [["8.8.8.8", "10.0.0.1"]],
  [["8.8.8.8", "fd00::1"]],
  [["8.8.8.8", "8.8.4.4", "2606:4700::1111", "64:ff9b::a00:1"]],
])(
  "of %s one is private, which is enough to refuse, and the name is asked once",
  async (addresses) => {
    const dns = dnsOf(...addresses);
    const safeFetch = strictWith(dns);
    await expect(safeFetch("http://videos.example.com/", get)).rejects.toThrow(
      "address not public",
    );
    expect(dns.asked).toEqual(["videos.example.com"]);
    await safeFetch.close();
  },
);

test("where one family cannot be reached, the other one is", async () => {
  await using receiver = await startReceiver(); // at 127.0.0.1 only
  const url = `http://videos.example.com:${new URL(receiver.url).port}/`;
  const safeFetch = lenientWith(dnsOf("::1", "127.0.0.1"));
  expect((await safeFetch(url, get)).status).toBe(200);
  expect(receiver.received).toHaveLength(1);
  await safeFetch.close();
});

test("a name that is never resolved is given up in time", async () => {
  const safeFetch = strictWith(() => new Promise(() => {}));
  const fetched = safeFetch("http://videos.example.com/", { ...get, totalMsMax: 200 });
  await expect(fetched).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }));
  await safeFetch.close();
});
