import { Agent } from "undici";
import type { Log } from "../log.ts";

/** Tells the engine that a task or an asset has something to do. */
export interface Waker {
  /** Never throws and never waits: what is lost here, the sweep and the watcher send again. */
  wake(...call: Wake): void;
  /** Throws unless the engine says within this time that it is well. */
  check(msMax: number): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export type TaskKind = "generation" | "upscale";
/** Object, handler and key. Only the key travels. */
type Wake =
  | [kind: TaskKind, handler: "begin" | "look", taskId: string]
  | [kind: "asset", handler: "advance", assetId: string];

const sendsMax = 4_096; // at once; beyond that the engine is in trouble and the sweep comes later
const sendMsMax = 5_000;

export function createWaker(ingressUrl: string, log: Log): Waker {
  const agent = new Agent({
    connections: 32,
    pipelining: 1,
    connectTimeout: sendMsMax,
    headersTimeout: sendMsMax,
    bodyTimeout: sendMsMax,
  });
  const underWay = new Set<Promise<void>>();

  /** Straight to the dispatcher: nobody reads the answer but for its status. */
  function send(path: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    agent.dispatch(
      { origin: ingressUrl, path: `/${path}/send`, method: "POST" },
      {
        onRequestStart() {}, // without all of them the dispatcher drops a failed request in silence
        onResponseData() {},
        onResponseStart(_controller, statusCode) {
          if (statusCode >= 300) log.warn({ event: "wake.refused", path, statusCode });
        },
        onResponseEnd: () => resolve(),
        onResponseError(_controller, error) {
          log.warn({ event: "wake.failed", path, reason: String(error) });
          resolve();
        },
      },
    );
    return promise;
  }

  return {
    wake(kind, handler, key) {
      const path = `${kind}/${key}/${handler}`;
      if (underWay.size >= sendsMax) return log.warn({ event: "wake.dropped", path });
      const sending = send(path).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async check(msMax) {
      const { statusCode, body } = await agent.request({
        origin: ingressUrl,
        path: "/restate/health",
        method: "GET",
        signal: AbortSignal.timeout(msMax),
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}`);
    },
    async close() {
      await Promise.all(underWay);
      await agent.close();
    },
  };
}
