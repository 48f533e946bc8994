import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Two services over the same data would end each other's PostgreSQL. A socket's name in Linux's abstract
 * namespace has one owner and is free again when that process ends, however it does.
 */
export async function claimDir(dir: string): Promise<AsyncDisposable> {
  const name = createHash("sha256").update(dir).digest("hex");
  const socket = createServer();
  socket.listen({ path: `\0zoetrope-dev-${name}` });
  try {
    await once(socket, "listening");
  } catch (error) {
    throw new Error(`Zoetrope is already running on the data in ${dir}`, { cause: error });
  }
  socket.unref();
  return socket;
}
