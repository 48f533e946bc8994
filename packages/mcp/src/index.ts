// biome-ignore-all lint/performance/noBarrelFile: what the package offers
export { createMcp } from "./create-mcp.ts";
export { serveHttp } from "./serve-http.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./serve-stdio.ts";
export type { McpOptions } from "./world.ts";
