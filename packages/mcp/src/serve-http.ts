import { createMcpHandler } from "@modelcontextprotocol/server";
import { createMcp } from "./create-mcp.ts";
import type { McpOptions } from "./mcp-context.ts";

/** Responds to one POST of a client of any revision. Keeps nothing between requests. */
export function serveHttp(
  options: McpOptions,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const handler = createMcpHandler(() => createMcp(options), {
    maxSubscriptions: 0, // nothing that changes is announced
    onerror: (error) => options.onError?.(error),
  });
  return handler.fetch(request, { parsedBody });
}
