import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/**
 * Replaces the engine: accepts every wake-up (a request without a body) and does nothing. Plain sockets,
 * so that it costs little beside the service.
 */
export async function startSink(): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay());
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    let rest = "";
    socket.setEncoding("latin1").on("data", (text) => {
      const heads = (rest + text).split("\r\n\r\n");
      rest = heads.pop() ?? "";
      socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".repeat(heads.length));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
