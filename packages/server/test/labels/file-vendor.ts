import { text } from "node:stream/consumers";
import { serve } from "@zoetrope/testkit/serve.ts";

export interface FileVendor extends AsyncDisposable {
  /** The setting with which it stands in Ark's place. */
  readonly env: { VENDORS: string };
}

/** A vendor whose job for the prompt `file N` ends at once with file N. */
export async function startFileVendor(
  bytesOf: (number: number) => Promise<Buffer>,
): Promise<FileVendor> {
  const jobs = new Map<string, number>();
  const served = await serve(async (request, response) => {
    const path = request.url ?? "";
    const reply = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (path.startsWith("/files/")) {
      const bytes = await bytesOf(Number(path.split("/").at(-1)));
      response.writeHead(200, { "content-type": "video/mp4" }).end(bytes);
    } else if (request.method === "POST") {
      const number = Number(/file (\d+)/.exec(await text(request))?.[1]);
      const id = `job-${jobs.size + 1}`;
      jobs.set(id, number);
      reply({ id });
    } else {
      const asked = new URL(path, served.url).searchParams.getAll("filter.task_ids");
      const items = asked.map((id) => ({
        id,
        status: "succeeded",
        content: { video_url: `${served.url}/files/${jobs.get(id)}` },
      }));
      reply({ items, total: items.length });
    }
  });
  const account = { name: "files", kind: "ark", baseUrl: served.url, apiKey: "none" };
  return {
    env: { VENDORS: JSON.stringify([account]) },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
