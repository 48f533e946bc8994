import { createWriteStream } from "node:fs";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { NoPermitFree } from "../errors.ts";
import { createSemaphore } from "../flow/semaphore.ts";
import { inWorkDir } from "../media/in-work-dir.ts";
import type { OpenerContext } from "./context.ts";
import { openFile } from "./open-file.ts";
import { arrivalMsMax, fileBytesMax } from "./pass-file.ts";
import { type OpenedFile, openMsMax, openPath } from "./schema.ts";
import { isWorkerToken } from "./worker-token.ts";

/** The files that arrive or wait at a time: each has up to 200 MB in the folder for temporary files. */
const filesMax = 6;
/** The files that are opened at a time. Customers' work has all other processors and permits. */
const opensMax = 1;
const owner = "verify";

interface Reply {
  status: 200 | 401 | 404 | 429 | 503;
  body: OpenedFile | null;
}

/** Opens files for the api processes of this deployment and for nobody else, confined. */
export function createOpener(ctx: OpenerContext) {
  const files = createSemaphore({
    permitsMax: filesMax,
    permitsPerOwnerMax: filesMax,
    waitingMax: 0,
  });
  const opens = createSemaphore({ permitsMax: opensMax });

  async function open(body: Readable, signal: AbortSignal): Promise<OpenedFile> {
    return inWorkDir(ctx, "verify-", async (dir) => {
      const path = join(dir, "file");
      await pipeline(body, bound(), createWriteStream(path), { signal });
      signal.throwIfAborted(); // a request that is reset ends like one that is complete
      return opens.use({ owner, signal }, () => openFile(ctx, path, signal));
    });
  }

  async function reply(request: Http2ServerRequest, signal: AbortSignal): Promise<Reply> {
    const { method, url, headers } = request;
    if (!isWorkerToken(ctx.config.links.secret, headers.authorization ?? ""))
      return { status: 401, body: null };
    if (method !== "POST" || url !== openPath) return { status: 404, body: null };
    try {
      const body = await files.use({ owner }, () => open(request, signal));
      return { status: 200, body };
    } catch (error) {
      if (error instanceof NoPermitFree && !signal.aborted) return { status: 429, body: null };
      if (!signal.aborted) ctx.log.error({ event: "verify.unopened", reason: String(error) });
      return { status: 503, body: null };
    }
  }

  return async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const gone = new AbortController();
    request.on("error", () => gone.abort());
    response.once("close", () => gone.abort());
    request.once("aborted", () => gone.abort());
    const late = AbortSignal.timeout(arrivalMsMax + openMsMax);
    const { status, body } = await reply(request, AbortSignal.any([gone.signal, late]));
    if (gone.signal.aborted) return;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body), () => response.stream.close()); // what is left is not read
  };
}

/** The api bounds what it passes on; this holds whatever it sends. */
function bound(): Transform {
  let sizeBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      done(sizeBytes > fileBytesMax ? new Error("the file is too large") : null, chunk);
    },
  });
}
