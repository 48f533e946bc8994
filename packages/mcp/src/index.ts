// biome-ignore-all lint/performance/noBarrelFile: what the package offers
export { createMcp } from "./create-mcp.ts";
export type { McpOptions } from "./mcp-context.ts";
export { serveHttp } from "./serve-http.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./serve-stdio.ts";
