import { SpanKind } from "@opentelemetry/api";
import { Agent, request } from "undici";
import type { AssetId, TaskId } from "../ids.ts";
import type { Log } from "../log.ts";
import { inSpan, noteOnSpan, taskIdAttribute } from "../tracing/in-span.ts";
import { traceHeaders } from "../tracing/trace-context.ts";
import { type Addresses, createAddresses } from "./addresses.ts";
import { serviceName } from "./service-name.ts";

/** Sends wake-ups for tasks and assets to the engine. */
export interface Waker {
  /** Best effort: never throws and never waits. The sweep and the poller re-send lost wake-ups. */
  wake(...call: Wake): void;
  /** Throws unless the engine reports within this time that it is healthy. */
  check(msMax: number): Promise<void>;
  /**
   * Like `wake`, but waits until the handler has run, at most `msMax`. Returns whether it has. Beyond
   * a number of waits per owner the wake-up is sent without waiting.
   */
  call(wait: { owner: string; msMax: number }, ...call: Wake): Promise<boolean>;
  /** Waits for requests in progress. */
  close(): Promise<void>;
}

export type TaskKind = "generation" | "upscale";
/** Object, handler and key. Only the key travels. */
type Wake =
  | [kind: TaskKind, handler: "submit" | "poll", taskId: TaskId]
  | [kind: "asset", handler: "advance", assetId: AssetId]
  | [kind: "canary", handler: "answer", key: string];

/** All but `sent` are lost. */
export type WakeOutcome = "sent" | "refused" | "failed" | "dropped";

const sendsMax = 4_096; // concurrent wake-ups; beyond that the engine is overloaded and the sweep re-sends them
const sendMsMax = 5_000;
const callsMax = 64; // concurrent calls: each has its own connection
const callsOfOwnerMax = 4;

export function createWaker(
  ingressUrls: readonly string[],
  log: Log,
  onOutcome: (outcome: WakeOutcome) => void = () => {},
  shard = 0,
): Waker {
  const agent = new Agent({
    connections: 32,
    pipelining: 1,
    connectTimeout: sendMsMax,
    headersTimeout: sendMsMax,
    bodyTimeout: sendMsMax,
  });
  const addresses = createAddresses(ingressUrls);
  const calls = createEngineCalls(addresses);
  const sends = createSends(agent, addresses, log, onOutcome, shard);

  return {
    wake: sends.begin,
    async call(wait, ...call) {
      const [kind, handler, key] = call;
      const outcome = await calls.run(wait, `${serviceName(kind, shard)}/${key}/${handler}`);
      if (outcome === "too many") sends.begin(...call);
      return outcome === "done";
    },
    async check(msMax) {
      const { statusCode, body } = await addresses.tryEach((origin) =>
        agent.request({
          origin,
          path: "/restate/health",
          method: "GET",
          signal: AbortSignal.timeout(msMax / addresses.count),
        }),
      );
      await body.dump();
      if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}`);
    },
    async close() {
      await sends.ended();
      await calls.close();
      await agent.close();
    },
  };
}

/** Wake-ups under way, bounded in number, each with one outcome. */
function createSends(
  agent: Agent,
  addresses: Addresses,
  log: Log,
  onOutcome: (outcome: WakeOutcome) => void,
  shard: number,
) {
  const underWay = new Set<Promise<void>>();

  async function send(path: string): Promise<void> {
    const answer = await sendToAny(agent, addresses, path);
    if ("reason" in answer) {
      onOutcome("failed");
      noteOnSpan({}, answer.reason);
      return log.warn({ event: "wake.failed", path, ...answer });
    }
    const isRefused = answer.statusCode >= 300;
    onOutcome(isRefused ? "refused" : "sent");
    noteOnSpan({ "http.response.status_code": answer.statusCode }, isRefused ? "refused" : null);
    if (isRefused) log.warn({ event: "wake.refused", path, ...answer });
  }

  return {
    /** Sends unless too many are under way. */
    begin(...[kind, handler, key]: Wake): void {
      const path = `${serviceName(kind, shard)}/${key}/${handler}`;
      if (underWay.size >= sendsMax) {
        onOutcome("dropped");
        log.warn({ event: "wake.dropped", path });
        return;
      }
      const isTask = kind === "generation" || kind === "upscale";
      const attributes = isTask ? { [taskIdAttribute]: key } : {};
      const options = { kind: SpanKind.PRODUCER, attributes };
      const sending = inSpan(`wake ${kind}.${handler}`, options, () => send(path));
      const sent = sending.finally(() => underWay.delete(sent));
      underWay.add(sent);
    },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

type Sent = { statusCode: number } | { reason: string };

/** A node that fails may have taken the wake-up before: a second one does no harm. */
function sendToAny(agent: Agent, addresses: Addresses, path: string): Promise<Sent> {
  return addresses
    .tryEach((origin) => sendTo(agent, origin, path))
    .catch((error: unknown) => ({ reason: String(error) }));
}

/** Uses the dispatcher directly: only the status of the response is read. */
function sendTo(agent: Agent, origin: string, path: string): Promise<{ statusCode: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ statusCode: number }>();
  let statusCode = 0;
  agent.dispatch(
    { origin, path: `/${path}/send`, method: "POST", headers: traceHeaders() },
    {
      onRequestStart() {}, // without all callbacks the dispatcher drops a failed request silently
      onResponseData() {},
      onResponseStart(_controller, status) {
        statusCode = status;
      },
      onResponseEnd: () => resolve({ statusCode }),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  return promise;
}

/** Calls to handlers that are waited for, bounded in number, per owner, and in time. */
function createEngineCalls(addresses: Addresses) {
  const agent = new Agent({ connections: callsMax, pipelining: 1 });
  const owners: string[] = []; // one entry for every call under way

  /** A handler that is late continues without the caller. */
  async function isAnswered(path: string, msMax: number): Promise<boolean> {
    const signal = AbortSignal.timeout(msMax);
    try {
      const answer = await addresses.tryEach((url) =>
        request(`${url}/${path}`, {
          method: "POST",
          headers: traceHeaders(),
          dispatcher: agent,
          signal,
        }).catch((error: unknown) => {
          if (signal.aborted) return null; // a late handler says nothing about the node
          throw error;
        }),
      );
      await answer?.body.dump();
      return answer !== null && answer.statusCode < 300;
    } catch {
      return false; // too late, or the engine is down: the row says when to continue
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
