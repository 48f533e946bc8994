import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { isForbidden } from "./addresses.ts";

interface Connection {
  address: string;
  port: number;
  /**
   * The readable part of the first bytes, which shows whose it was: a request, or the name in a TLS
   * hello.
   */
  firstBytes: string;
}

/** Listens on every address at once and distinguishes connections by the address they came in on. */
export interface Trap extends AsyncDisposable {
  /** The connections at addresses where nobody may go. */
  readonly caught: Connection[];
  /** The number of connections at public addresses. */
  readonly passed: number;
  forget(): void;
}

const bytesKept = 2_000;

export async function setTrap(
  ports: readonly number[],
  hosts: { http: Server; https: Server },
): Promise<Trap> {
  const caught: Connection[] = [];
  let passed = 0;
  const onConnection = (socket: Socket) => {
    socket.on("error", () => {});
    const { localAddress = "", localPort = 0 } = socket;
    if (isForbidden(localAddress)) {
      const connection = { address: localAddress, port: localPort, firstBytes: "" };
      caught.push(connection);
      socket.once("data", (bytes) => {
        connection.firstBytes = readableText(bytes.toString("latin1", 0, bytesKept));
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret");
      });
      return;
    }
    passed += 1;
    if (localPort === 80) hosts.http.emit("connection", socket);
    else if (localPort === 443) hosts.https.emit("connection", socket);
    else socket.end("220 not the web\r\n");
  };
  const servers: Server[] = [];
  for (const port of ports) {
    const server = createServer(onConnection).listen(port, "::");
    await once(server, "listening");
    servers.push(server);
  }
  return {
    caught,
    get passed() {
      return passed;
    },
    forget: () => {
      caught.length = 0;
      passed = 0;
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) server.close();
    },
  };
}

function readableText(text: string): string {
  return (text.match(/[\w.:/ -]{6,}/g) ?? []).join(" ");
}
