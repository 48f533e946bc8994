import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Node accepts one connection per listening socket and iteration of its event loop. At a few
 * milliseconds per iteration, a few hundred clients that connect at once fill the backlog of a single
 * socket, and the kernel then drops connections for seconds. So several sockets listen at the same
 * address.
 */
const socketsMax = 16;
/** The backlog of each socket; the kernel has its own limit (`net.core.somaxconn`). */
const backlog = 4_096;

const closeIdleEveryMs = 50;

interface Address {
  host: string;
  port: number;
}

/** Starts listening and returns the address. Call it before `app` is ready. */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  closeIdleUntilClosed(app);
  if (process.platform !== "linux") return app.listen({ host, port, backlog });
  await requireFree({ host, port });
  const more: Server[] = [];
  const closing: Promise<unknown>[] = [];
  app.addHook("preClose", async () => {
    for (const server of more) {
      closing.push(once(server, "close"));
      server.close();
    }
  });
  app.addHook("onClose", async () => {
    await Promise.all(closing); // with the last of their requests
  });
  const shared = { host, backlog, reusePort: true };
  const address = await app.listen({ ...shared, port });
  const bound = (app.server.address() as AddressInfo).port;
  for (let count = 1; count < socketsMax; count += 1)
    more.push(await open({ ...shared, port: bound }, app));
  return address;
}

/**
 * A connection whose request was in progress when closing started becomes idle and would keep the
 * server open.
 */
function closeIdleUntilClosed(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook("onClose", async () => clearInterval(timer)); // hooks of the close run last to first
  app.addHook("preClose", async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs);
  });
}

/** Sockets of this process share an address; another process that uses it by mistake must get an error. */
async function requireFree(address: Address): Promise<void> {
  const server = createServer().listen(address);
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

async function open(options: Address & { reusePort: boolean }, app: FastifyInstance) {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit("connection", socket);
  }).listen(options);
  await once(server, "listening");
  return server;
}
