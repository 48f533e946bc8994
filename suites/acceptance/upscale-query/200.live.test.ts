import type { Upscale } from "@zoetrope/testkit/api-types.ts";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { ask, follow } from "../src/live.ts";
import { taskIdIn } from "../src/upscale.ts";

const query = "upscale/query";

/** An upscale of something that is no video: it ends by itself and costs nothing. */
async function startHopeless(sourceUrl: string): Promise<string> {
  const source = { type: "url", url: sourceUrl };
  return taskIdIn(await main.createUpscale({ source, targetResolution: "1080p" }));
}

describe.runIf(settings.callsLoopback)("an upscale is followed like any task", () => {
  test("a stream sends each state once, as the query would, and ends with the task; then it is a 204", async () => {
    await using file = await serveFile(Buffer.from("no video"));
    const taskId = await startHopeless(file.url);
    const { answer, events } = await follow<Upscale>(taskId, {}, query);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(events.map(({ task }) => task.status).join(" ")).toMatch(/^(validating )?failed$/);
    expect(events.at(-1)?.task).toEqual(await main.upscale(taskId));
    const seen = { "last-event-id": events.at(-1)?.id ?? "" };
    expect((await follow(taskId, seen, query)).answer.status).toBe(204);
  });

  test("Prefer: wait answers at the next change, and the ETag of the end is a 304", async () => {
    await using file = await serveFile(Buffer.from("no video"));
    const taskId = await startHopeless(file.url);
    const waited = await ask(taskId, { prefer: "wait=60" }, query);
    expect(waited.status).toBe(200);
    expect(waited.headers.get("preference-applied")).toBe("wait=60");
    expect(waited.body).toEqual(await main.upscale(taskId));
    const etag = waited.headers.get("etag") ?? "";
    const again = await ask(taskId, { "if-none-match": etag, prefer: "wait=60" }, query);
    expect([again.status, again.text]).toEqual([304, ""]);
  });
});
