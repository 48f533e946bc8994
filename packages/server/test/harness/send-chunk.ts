import { once } from "node:events";
import { connect } from "node:net";

interface Sent {
  /** `null`: the connection was cut before there was one. */
  status: number | null;
  /** Everything that went out, headers included. */
  wireBytes: number;
}

/** PUTs bytes to a link over a separate socket, or cuts the connection after some of them. */
export async function sendChunk(
  url: string,
  bytes: Buffer,
  options: { cutAfterBytes?: number; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const { cutAfterBytes, headers = {} } = options;
  const fields = { Host: host, "Content-Length": bytes.length, Connection: "close", ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {}); // a refused body ends in a reset, after the response
  await once(socket, "connect");
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  const closed = Promise.withResolvers<void>();
  socket.once("close", () => closed.resolve()); // also after an error
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const isFlushed = Promise.withResolvers<void>();
  socket.write(bytes.subarray(0, cutAfterBytes), () => isFlushed.resolve());
  if (cutAfterBytes !== undefined) {
    await isFlushed.promise;
    socket.destroy(); // no reset, which would take back what is still under way
  }
  await closed.promise;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  return { status: status === undefined ? null : Number(status), wireBytes: socket.bytesWritten };
}
