import { createSocket, type RemoteInfo } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createNameResolver } from "./resolve-name.ts";

const types = { 1: "A", 28: "AAAA" } as const;
type Type = (typeof types)[keyof typeof types];

/** Gives the bytes of each address to a question of a type; undefined is silence. */
async function startNameServer(answersTo: (type: Type) => number[][] | undefined) {
  const socket = createSocket("udp4");
  const asked: Type[] = [];
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const end = query.indexOf(0, 12) + 5; // after the name: its type and class
    const type = types[query.readUInt16BE(end - 4) as 1 | 28];
    asked.push(type);
    const addresses = answersTo(type);
    if (addresses === undefined) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2); // no such name, or fine
    header.writeUInt16BE(addresses.length, 6);
    header.fill(0, 8);
    const records = addresses.flatMap((bytes) => [
      Buffer.from([0xc0, 12, 0, type === "A" ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]),
      Buffer.from(bytes),
    ]);
    const answer = Buffer.concat([header, query.subarray(12, end), ...records]);
    socket.send(answer, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const servers = [`127.0.0.1:${socket.address().port}`];
  return { servers, asked, [Symbol.asyncDispose]: async () => void socket.close() };
}

const v4 = [93, 184, 215, 14];
const v6 = [0x26, 0x06, 0x47, ...Array<number>(12).fill(0), 0x11];

test("a name is resolved to all its addresses of both families, IPv4 first", async () => {
  await using dns = await startNameServer((type) => (type === "A" ? [v4, [10, 0, 0, 1]] : [v6]));
  const resolve = createNameResolver({ servers: dns.servers });
  expect(await resolve("videos.example.com")).toEqual([
    "93.184.215.14",
    "10.0.0.1",
    "2606:4700::11",
  ]);
});

test("a name server that never answers is given up in time, however many names wait for it", async () => {
  await using dns = await startNameServer(() => undefined);
  const resolve = createNameResolver({ servers: dns.servers, msMax: 2_000 });
  let waiting = 64;
  const names = Array.from({ length: waiting }, (_, number) =>
    resolve(`n${number}.example.com`).finally(() => waiting--),
  );
  const outcomes = Promise.allSettled(names);
  await lookup("localhost"); // by the system, as the database's host is
  expect(waiting).toBe(64);
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "ETIMEOUT" } });
});

test("a family that is not answered does not take the other one along", async () => {
  await using dns = await startNameServer((type) => (type === "A" ? [v4] : undefined));
  const resolve = createNameResolver({ servers: dns.servers, msMax: 300 });
  expect(await resolve("videos.example.com")).toEqual(["93.184.215.14"]);
});

test("a name without any address is not found", async () => {
  await using dns = await startNameServer(() => []);
  const resolve = createNameResolver({ servers: dns.servers });
  await expect(resolve("videos.example.com")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(dns.asked.sort()).toEqual(["A", "AAAA"]);
});

test.each(["localhost", "LOCALHOST", "localhost."])(
  "%s is loopback, asking nobody",
  async (name) => {
    await using dns = await startNameServer(() => [v4]);
    const resolve = createNameResolver({ servers: dns.servers });
    expect(await resolve(name)).toEqual(["127.0.0.1", "::1"]);
    expect(dns.asked).toEqual([]);
  },
);
