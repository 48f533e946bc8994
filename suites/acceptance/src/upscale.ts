import type { Answer } from "@zoetrope/testkit/api-client.ts";

/** Nothing is behind it: a task that fetches it fails and costs nothing. */
export const nowhere = { type: "url", url: "https://example.com/video.mp4" };

export function taskIdIn({ status, body, text }: Answer): string {
  if (status !== 200) throw new Error(`expected a 200, got a ${status}: ${text}`);
  return String(body["taskId"]);
}
