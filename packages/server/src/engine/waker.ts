import { Agent, request } from "undici";
import type { Log } from "../log.ts";

/** Tells the engine that a task or an asset has something to do. */
export interface Waker {
  /** Never throws and never waits: what is lost here, the sweep and the watcher send again. */
  wake(...call: Wake): void;
  /** Throws unless the engine says within this time that it is well. */
  check(msMax: number): Promise<void>;
  /**
   * Like `wake`, but waits until the handler has run, at most so long. Says whether it has. An owner who
   * waits for many at once is not waited for: the message is sent all the same.
   */
  call(wait: { owner: string; msMax: number }, ...call: Wake): Promise<boolean>;
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
const callsMax = 64; // at once: every one has a connection of its own
const callsOfOwnerMax = 4;

export function createWaker(ingressUrl: string, log: Log): Waker {
  const agent = new Agent({
    connections: 32,
    pipelining: 1,
    connectTimeout: sendMsMax,
    headersTimeout: sendMsMax,
    bodyTimeout: sendMsMax,
  });
  const calls = createEngineCalls(ingressUrl);
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

  function wake(...[kind, handler, key]: Wake) {
    const path = `${kind}/${key}/${handler}`;
    if (underWay.size >= sendsMax) return log.warn({ event: "wake.dropped", path });
    const sending = send(path).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  return {
    wake,
    async call(wait, ...call) {
      const [kind, handler, key] = call;
      const outcome = await calls.run(wait, `${kind}/${key}/${handler}`);
      if (outcome === "too many") wake(...call);
      return outcome === "done";
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
      await calls.close();
      await agent.close();
    },
  };
}

/** Calls to handlers of the engine that somebody waits for, bounded in number, per owner, and in time. */
function createEngineCalls(ingressUrl: string) {
  const agent = new Agent({ connections: callsMax, pipelining: 1 });
  const owners: string[] = []; // one entry for every call under way

  /** A handler that is late goes on without us. */
  async function isAnswered(path: string, msMax: number): Promise<boolean> {
    try {
      const { statusCode, body } = await request(`${ingressUrl}/${path}`, {
        method: "POST",
        dispatcher: agent,
        signal: AbortSignal.timeout(msMax),
      });
      await body.dump();
      return statusCode < 300;
    } catch {
      return false; // not in time, or the engine is away: the row says when to go on
    }
  }

  return {
    async run(
      { owner, msMax }: { owner: string; msMax: number },
      path: string,
    ): Promise<"done" | "late" | "too many"> {
      const own = owners.filter((name) => name === owner).length;
      if (owners.length >= callsMax || own >= callsOfOwnerMax) return "too many";
      owners.push(owner);
      try {
        return (await isAnswered(path, msMax)) ? "done" : "late";
      } finally {
        owners.splice(owners.indexOf(owner), 1);
      }
    },
    close: () => agent.destroy(),
  };
}
