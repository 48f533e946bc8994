import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Log } from "../log.ts";
import { connectionOptions } from "./session-settings.ts";

export interface Listening {
  close(): Promise<void>;
}

interface ListenOptions {
  url: string;
  /** The application name of the connection. */
  name: string;
  channels: readonly string[];
  log: Log;
  onMessage(payload: string, channel: string): void;
  /** Called whenever messages begin to arrive: what was sent before is lost. */
  onConnect(): void;
}

const connectMsMax = 5_000;
/** A connection can die without being closed: it is checked with a query. */
const checkEveryMs = 10_000;
const answerMsMax = 5_000;
const againFirstMs = 100;
const againMsMax = 5_000;
const goodbyeMsMax = 1_000;

/** Listens on a separate connection until closed, and reconnects when it breaks. */
export function listen(options: ListenOptions): Listening {
  const stopping = new AbortController();
  const running = keepListening(options, stopping.signal);
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

async function keepListening(options: ListenOptions, stop: AbortSignal): Promise<void> {
  const { channels, log } = options;
  let againMs = againFirstMs;
  while (!stop.aborted) {
    try {
      await listenOnce(options, stop, () => {
        againMs = againFirstMs;
      });
    } catch (error) {
      if (stop.aborted) return;
      log.warn({ event: "listening.broken", channels, reason: String(error) });
    }
    await pause(againMs, undefined, { signal: stop }).catch(() => {});
    againMs = Math.min(2 * againMs, againMsMax);
  }
}

/** Ends when stopped, or with the reason why the connection cannot be used any more. */
async function listenOnce(
  { url, name, channels, onMessage, onConnect }: ListenOptions,
  stop: AbortSignal,
  onGood: () => void,
): Promise<void> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: answerMsMax,
    options: connectionOptions,
  });
  const broken = new AbortController();
  client.on("error", (error) => broken.abort(error));
  client.on("end", () => broken.abort(new Error("the connection was closed")));
  client.on("notification", ({ payload, channel }) => onMessage(payload ?? "", channel));
  const signal = AbortSignal.any([stop, broken.signal]);
  try {
    await client.connect();
    for (const channel of channels) await client.query(`listen ${channel}`);
    onGood();
    onConnect();
    while (!signal.aborted) {
      await pause(checkEveryMs, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await client.query("select 1");
    }
    if (!stop.aborted) throw broken.signal.reason;
  } finally {
    // A connection that died without being closed never ends by itself.
    await Promise.race([
      client.end().catch(() => {}),
      pause(goodbyeMsMax, undefined, { ref: false }),
    ]);
  }
}
