import { createMcpHandler } from "@modelcontextprotocol/server";
import { createMcp } from "./create-mcp.ts";
import type { McpOptions } from "./world.ts";

/** Answers one POST of a client of any revision. Nothing is kept between two of them. */
export function serveHttp(
  options: McpOptions,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const { onError } = options;
  const handler = createMcpHandler(() => createMcp(options), {
    maxSubscriptions: 0, // nothing that changes is announced
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  return handler.fetch(request, { parsedBody });
}
