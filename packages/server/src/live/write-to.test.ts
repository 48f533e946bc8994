import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { writeTo } from "./write-to.ts";

/** More than any connection holds. */
const text = "x".repeat(30_000_000);

/** Returns a client that does not read its response until it is resumed. */
async function askedAndUnread(): Promise<{ client: Socket; response: ServerResponse }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  client.on("error", () => {});
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, response] = await once(server, "request");
  return { client, response };
}

test("a client that does not read at all is broken off with", async () => {
  const { response } = await askedAndUnread();
  expect(await writeTo(response, text, 500)).toBe(false);
  expect(response.destroyed).toBe(true);
  expect(await writeTo(response, text, 100)).toBe(false);
});

test("a client that is behind is waited for", async () => {
  const { client, response } = await askedAndUnread();
  const writing = writeTo(response, text, 20_000);
  const listeners = response.listenerCount("close");
  client.resume();
  expect(await writing).toBe(true);
  expect(response.listenerCount("close")).toBeLessThan(listeners);
});

test("a client that leaves while it is behind is not waited for", async () => {
  const { client, response } = await askedAndUnread();
  const writing = writeTo(response, text, 3_600_000);
  client.destroy();
  expect(await writing).toBe(false);
});
