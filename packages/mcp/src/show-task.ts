import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { answer } from "./answer.ts";
import type { Seen } from "./see-task.ts";
import type { World } from "./world.ts";

/** More images would fill an agent's context. */
const postersMax = 4;
const posterBytesMax = 128 * 1024;

/** A task for an agent: links to its files and small posters, never the files. */
export async function showTask(
  world: World,
  seen: Seen,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { taskId, kind, status, isOver, credits, progress, outputs, error, notes } = seen;
  const facts = {
    ...{ taskId, kind, status },
    ...(credits === null ? {} : { credits }),
    ...(progress === null ? {} : { progress }),
    ...(outputs.length === 0 ? {} : { outputs: outputs.map(describe) }),
    ...(error === null ? {} : { error, charged: 0 }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(isOver ? {} : { next: `Not over yet. Call get_task with taskId ${taskId}.` }),
  };
  const links = outputs.map((output, n): ContentBlock => {
    const { url: uri, mediaType: mimeType, sizeBytes: size } = output;
    return { type: "resource_link", uri, name: nameOf(taskId, n, mimeType), mimeType, size };
  });
  const posters = await readPosters(world, outputs, signal);
  return { ...answer(facts, ...links, ...posters), ...(error === null ? {} : { isError: true }) };
}

function describe(output: Seen["outputs"][number]) {
  const { url, mediaType, width, height, durationSeconds, sizeBytes, expiresAt } = output;
  return {
    ...{ url, mediaType, width, height },
    ...(durationSeconds === null ? {} : { durationSeconds }),
    sizeBytes,
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** A name that is safe as a file's, whatever the service answered. */
function nameOf(taskId: string, n: number, mediaType: string): string {
  const extension = mediaType.split("/")[1] ?? "";
  const number = n === 0 ? "" : `-${n + 1}`;
  return `${taskId}${number}.${extension}`.replace(/[^\w.-]/g, "_");
}

/** Without the poster where it cannot be read: the links are what was paid for. */
async function readPosters(
  world: World,
  outputs: Seen["outputs"],
  signal: AbortSignal,
): Promise<ContentBlock[]> {
  const urls = outputs.flatMap(({ posterUrl }) => posterUrl ?? []).slice(0, postersMax);
  const posters = await Promise.all(
    urls.map((url) =>
      world.readPoster(url, signal).catch((error: unknown) => {
        world.onError?.(error);
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
