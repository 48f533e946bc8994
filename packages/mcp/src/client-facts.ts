import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpContext } from "./mcp-context.ts";

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** The part of a 2026-07-28 request that describes its client. Nothing in it is checked before. */
const envelope = z.looseObject({
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }).optional(),
  [CLIENT_CAPABILITIES_META_KEY]: z
    .looseObject({
      elicitation: z.looseObject({}).optional(),
      extensions: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});

function envelopeOf({ mcpReq }: ServerContext): z.output<typeof envelope> {
  const { data } = envelope.safeParse(mcpReq.envelope);
  return data ?? {};
}

/** Declared for this very request: what a client said before does not count. */
export function declaresTasks(ctx: ServerContext): boolean {
  const { extensions } = envelopeOf(ctx)[CLIENT_CAPABILITIES_META_KEY] ?? {};
  return extensions?.[tasksExtension] !== undefined;
}

/** Whether the client can ask its user, by this request or by the connection that an older client opened. */
export function canAsk({ server }: McpContext, ctx: ServerContext): boolean {
  const { elicitation } =
    envelopeOf(ctx)[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return false;
  return "form" in elicitation || !("url" in elicitation); // an empty one means forms
}

export function clientName({ server }: McpContext, ctx: ServerContext): string {
  const { name } = envelopeOf(ctx)[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion() ?? {};
  return name ?? "";
}
