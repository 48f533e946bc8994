import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * Refuses what another site makes a browser send with our cookie. A write needs the `Origin` of PUBLIC_URL;
 * browsers send one with every write. A read must not be marked as coming from another site.
 */
export function requireOwnOrigin(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  publicUrl: string,
): void {
  const site = headers["sec-fetch-site"];
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
  const isRead = method === "GET" || method === "HEAD";
  if (isForeign || (!isRead && headers.origin !== new URL(publicUrl).origin))
    throw new ApiError("origin_refused");
}
