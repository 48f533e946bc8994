import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { ApiError, ZoetropeError } from "@zoetrope/sdk";
import { cleanAll } from "./clean-text.ts";

/**
 * A result of a tool: one JSON text, so that text of others stands in quotes, and what belongs to it.
 * Members that are undefined are left out.
 */
export function answer(value: object, ...more: ContentBlock[]): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(cleanAll(value)) }, ...more] };
}

export function refuse(code: string, message: string, more: object = {}): CallToolResult {
  return { ...answer({ error: { code, message }, ...more }), isError: true };
}

/** Runs a tool; what the service refuses becomes a result that the agent can act on. */
export async function answerErrors<Result>(
  work: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, message, param, requestId, retryAfterMs } = error;
      const details = {
        code,
        message,
        param: param ?? undefined,
        retryAfterSeconds: retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1000),
        requestId: requestId ?? undefined,
      };
      return { ...answer({ error: details }), isError: true };
    }
    if (error instanceof ZoetropeError) return refuse(error.code, error.message);
    throw error;
  }
}
