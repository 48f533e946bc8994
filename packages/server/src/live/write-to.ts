import { once } from "node:events";
import type { ServerResponse } from "node:http";

/**
 * Returns whether the client still reads. Waits while the client is behind, and disconnects a client
 * that does not read at all.
 */
export async function writeTo(
  response: ServerResponse,
  text: string,
  unreadMsMax: number,
): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text)) return true;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once("close", leave);
  try {
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(unreadMsMax)]);
    await once(response, "drain", { signal });
    return true;
  } catch {
    response.destroy();
    return false;
  } finally {
    response.off("close", leave);
  }
}
