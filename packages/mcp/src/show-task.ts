import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { answer } from "./answer.ts";
import type { McpContext } from "./mcp-context.ts";
import type { Seen } from "./see-task.ts";

/** More images would fill an agent's context. */
const postersMax = 4;
const posterBytesMax = 128 * 1024;

/** A task for an agent: links to its files and small posters, never the files. */
export async function showTask(
  context: McpContext,
  seen: Seen,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { taskId, kind, status, isOver, credits, progress, outputs, error, notes } = seen;
  const facts = {
    taskId,
    kind,
    status,
    credits: credits ?? undefined,
    progress: progress ?? undefined,
    outputs: outputs.length === 0 ? undefined : outputs.map(describe),
    error: error ?? undefined,
    charged: error === null ? undefined : 0,
    notes: notes.length === 0 ? undefined : notes,
    next: isOver ? undefined : `Not over yet. Call get_task with taskId ${taskId}.`,
  };
  const links = outputs.map((output, n): ContentBlock => {
    const { url: uri, mediaType: mimeType, sizeBytes: size } = output;
    return { type: "resource_link", uri, name: nameOf(taskId, n, mimeType), mimeType, size };
  });
  const posters = await readPosters(context, outputs, signal);
  return { ...answer(facts, ...links, ...posters), isError: error === null ? undefined : true };
}

function describe(output: Seen["outputs"][number]) {
  const { url, mediaType, width, height, durationSeconds, sizeBytes, expiresAt } = output;
  return {
    url,
    mediaType,
    width,
    height,
    durationSeconds: durationSeconds ?? undefined,
    sizeBytes,
    expiresAt: expiresAt === null ? undefined : new Date(expiresAt).toISOString(),
  };
}

/** Returns a name that is safe as a file's, whatever the service returned. */
function nameOf(taskId: string, n: number, mediaType: string): string {
  const extension = mediaType.split("/")[1] ?? "";
  const number = n === 0 ? "" : `-${n + 1}`;
  return `${taskId}${number}.${extension}`.replace(/[^\w.-]/g, "_");
}

/** Without the poster where it cannot be read: the links are what was paid for. */
async function readPosters(
  context: McpContext,
  outputs: Seen["outputs"],
  signal: AbortSignal,
): Promise<ContentBlock[]> {
  const urls = outputs.flatMap(({ posterUrl }) => posterUrl ?? []).slice(0, postersMax);
  const posters = await Promise.all(
    urls.map((url) =>
      context.readPoster(url, signal).catch((error: unknown) => {
        context.onError?.(error);
        return null;
      }),
    ),
  );
  return posters.flatMap((bytes): ContentBlock[] =>
    bytes === null || bytes.length > posterBytesMax
      ? []
      : [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType: "image/webp" }],
  );
}
