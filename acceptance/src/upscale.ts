import { type Answer, type Client, waitFor } from "./client.ts";

/** An upscale task as its owner sees it. */
export interface Upscale {
  taskId: string;
  status: "validating" | "processing" | "completed" | "failed";
  targetResolution: string;
  progress: number;
  creditsConsumed: number | null;
  result: {
    url: string;
    width: number;
    height: number;
    probedDurationSeconds: number;
    probedSourceResolution: string;
  } | null;
  error: { code: string; message: string } | null;
  createdAt: string;
  finishedAt: string | null;
}

/** Nothing is behind it: a task that fetches it fails and costs nothing. */
export const nowhere = { type: "url", url: "https://example.com/video.mp4" };

export function taskIdIn({ status, body, text }: Answer): string {
  if (status !== 200) throw new Error(`expected a 200, got a ${status}: ${text}`);
  return String(body["taskId"]);
}

export async function readUpscale(client: Client, taskId: string): Promise<Upscale> {
  const answer = await client.queryUpscale(taskId);
  taskIdIn(answer);
  return answer.body as unknown as Upscale;
}

/** Asks until the task has ended; gives every answer on the way, the last one last. */
export async function followUpscale(
  client: Client,
  taskId: string,
): Promise<{ seen: Upscale[]; end: Upscale }> {
  const seen: Upscale[] = [];
  await waitFor(`upscale ${taskId} has ended`, async () => {
    seen.push(await readUpscale(client, taskId));
    return seen.at(-1)?.finishedAt !== null;
  });
  const end = seen.at(-1);
  if (end === undefined) throw new Error("unreachable");
  return { seen, end };
}
