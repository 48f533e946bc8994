import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort, freePorts } from "./ports.ts";

test("never hands out a port twice", async () => {
  const ports = await freePorts(300);
  expect(new Set(ports).size).toBe(300);
});

test("stays clear of the ports of outgoing connections", async () => {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
  const [first = 0, last = 0] = range.trim().split(/\s+/).map(Number);
  const lent = (await freePorts(100)).filter((port) => port >= first && port <= last);
  expect(lent).toEqual([]);
});

test("gives ports that can be listened on", async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  await new Promise((resolve) => server.close(resolve));
});

test("holds a port against other processes that ask the same way", async () => {
  const port = await freePort();
  const rival = createServer();
  const refused = new Promise<NodeJS.ErrnoException>((resolve) => rival.once("error", resolve));
  rival.listen({ path: `\0zoetrope-port-${port}` });
  expect((await refused).code).toBe("EADDRINUSE");
});
