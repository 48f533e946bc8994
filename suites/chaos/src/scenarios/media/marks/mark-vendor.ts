import { text } from "node:stream/consumers";
import { serve } from "@zoetrope/testkit/serve.ts";
import type { MarkFile } from "./mark-files.ts";

export interface MarkVendor extends AsyncDisposable {
  /** The setting with which it stands in the place of a vendor of videos and of one of images. */
  readonly env: { VENDORS: string };
  urlOf(file: MarkFile): string;
}

/**
 * A vendor whose result for the prompt `file N` is file N. The files are at `filesUrl`; omitted: at the
 * vendor itself.
 */
export async function startMarkVendor(
  files: readonly MarkFile[],
  filesUrl?: string,
): Promise<MarkVendor> {
  const jobs = new Map<string, number>();
  const served = await serve(async (request, response) => {
    const path = request.url ?? "";
    const reply = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (path.startsWith("/files/")) {
      const file = files[Number(path.split("/").at(-1))];
      response.writeHead(200, { "content-type": file?.contentType }).end(file?.body);
    } else if (request.method === "POST") {
      const number = Number(/file (\d+)/.exec(await text(request))?.[1]);
      const id = `job-${jobs.size + 1}-${process.pid}`;
      jobs.set(id, number);
      const b64_json = files[number]?.body.toString("base64");
      reply(path.startsWith("/openai") ? { created: 1, data: [{ b64_json }] } : { id });
    } else {
      const asked = new URL(path, served.url).searchParams.getAll("filter.task_ids");
      const items = asked.map((id) => ({
        id,
        status: "succeeded",
        content: { video_url: `${base}/files/${jobs.get(id)}` },
      }));
      reply({ items, total: items.length });
    }
  });
  const base = filesUrl ?? served.url;
  const accounts = (["ark", "openai"] as const).map((kind) => ({
    name: `marks-${kind}`,
    kind,
    baseUrl: `${served.url}/${kind}`,
    apiKey: "none",
  }));
  return {
    env: { VENDORS: JSON.stringify(accounts) },
    urlOf: (file) => `${base}/files/${files.indexOf(file)}`,
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
