import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { ApiError } from "../errors.ts";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses what a page of another site makes a browser send, also through a name that it has led to this
 * address (DNS rebinding). Programs send no `Origin`. The `Host` is checked where clients connect
 * directly: a proxy may set its own.
 */
export function checkOrigin(
  { origin, host = "" }: IncomingHttpHeaders,
  { publicUrl, hasProxy }: { publicUrl: string; hasProxy: boolean },
): void {
  const publicOrigin = new URL(publicUrl);
  const name = nameOf(`http://${host}`);
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) > 0 || loopback.has(name); // not a name that somebody else can lead here
  if (!hasProxy && !isAddress && name !== publicOrigin.hostname) throw refused("Host");
  if (origin === undefined || origin === publicOrigin.origin) return;
  if (!(loopback.has(name) && loopback.has(nameOf(origin)))) throw refused("Origin");
}

function refused(header: "Host" | "Origin"): ApiError {
  const message = `The header ${header} names another site than this service. Use the service's public address; programs leave out Origin.`;
  return new ApiError("origin_refused", { message });
}

function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
