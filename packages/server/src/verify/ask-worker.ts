import { once } from "node:events";
import { type ClientHttp2Stream, connect } from "node:http2";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { withinMs } from "../flow/within-ms.ts";
import { type OpenedFile, openedFile, openMsMax, openPath } from "./schema.ts";
import { workerToken } from "./worker-token.ts";

const connectMsMax = 3_000;
const retryAfterSeconds = 10;

/** A file on its way to a worker. Disposed, it is taken back, and the worker stops working on it. */
export interface Opening extends Disposable {
  target: Writable;
  /** Returns what the worker found in the whole file, and throws after `openMsMax`. */
  found(): Promise<OpenedFile>;
}

/**
 * Connects to a worker, which opens the file that is written to `target`. Each file has a connection, so that
 * none waits for another. `gone` is the end of the client that sent the file.
 */
export async function askWorker({ config }: Context, gone: AbortSignal): Promise<Opening> {
  const { workerUrl } = config.engine;
  if (workerUrl === null) throw new Error("WORKER_URL is not set");
  const session = connect(workerUrl);
  session.on("error", () => {}); // its stream fails with it
  const end = () => session.destroy();
  try {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(connectMsMax)]);
    await once(session, "connect", { signal });
  } catch (error) {
    end();
    throw error;
  }
  gone.addEventListener("abort", end);
  const target = session.request({
    ":method": "POST",
    ":path": openPath,
    authorization: workerToken(config.links.secret),
  });
  const answered = readAnswer(target);
  answered.catch((error) => target.destroy(error)); // refused, perhaps before the file has arrived
  return {
    target,
    found: () => withinMs(openMsMax, answered),
    [Symbol.dispose]() {
      gone.removeEventListener("abort", end);
      end();
    },
  };
}

async function readAnswer(stream: ClientHttp2Stream): Promise<OpenedFile> {
  const status = await statusOf(stream);
  if (status === 429) throw new ApiError("service_unavailable", { retryAfterSeconds });
  if (status !== 200) throw new Error(`the worker's status is ${status}`);
  return openedFile.parse(JSON.parse(await text(stream)));
}

function statusOf(stream: ClientHttp2Stream): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  stream.once("response", (headers) => resolve(Number(headers[":status"])));
  stream.once("error", reject);
  stream.once("close", () => reject(new Error("the worker closed the connection")));
  return promise;
}
