import { connect, type Socket } from "node:net";
import { createAnswerReader } from "./answer-reader.ts";
import type { Observation, Tally, Waiter } from "./messages.ts";

const retryMs = 100;
const sourceAddresses = 200;

export interface WaitingClient {
  observation: Observation;
  isWaiting(): boolean;
  /** Cuts the connection and reconnects. */
  cut(): void;
  stop(): void;
}

/**
 * Waits for a task to end, by polls that wait or by a stream, and reconnects with the last
 * version it has seen.
 */
export function startClient(
  waiter: Waiter,
  { number, port, tally }: { number: number; port: number; tally: Tally },
): WaitingClient {
  const { taskId, isStream } = waiter;
  const observation: Observation = { taskId, endSeenAtMs: null, twice: 0 };
  const versions = new Set<string>();
  let version = "";
  let socket: Socket | null = null;
  let isWaiting = false;
  let isStopped = false;

  function see(seen: string, json: string): void {
    if (versions.has(seen)) observation.twice++;
    versions.add(seen);
    version = seen;
    isWaiting = isStream;
    const { completeTime } = JSON.parse(json) as { completeTime: number | null };
    if (completeTime !== null) observation.endSeenAtMs ??= Date.now();
  }

  function ask(through: Socket): void {
    if (through !== socket) return;
    isWaiting = version !== "";
    through.write(requestOf(waiter, version));
  }

  function open(): void {
    let status = 0;
    let etag = "";
    let text = "";
    const read = createAnswerReader({
      head(...head) {
        [status, etag] = head;
        text = "";
        noteFault(tally, isStream, status);
      },
      body(more) {
        text += more;
        if (isStream && status === 200) text = takeEvents(text, see);
      },
      end() {
        if (!isStream && status === 200) see(etag, text);
        if (observation.endSeenAtMs !== null) return stop();
        if (!isStream) ask(opened);
      },
    });
    // Addresses of their own: one has too few ports for connections that are cut all the time.
    const localAddress = `127.0.1.${1 + (number % sourceAddresses)}`;
    const opened = connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
    socket = opened;
    opened.setEncoding("latin1").on("data", read);
    opened.on("connect", () => ask(opened));
    opened.on("error", () => {});
    opened.on("close", () => {
      if (isStopped || opened !== socket) return;
      tally.reconnects++;
      setTimeout(() => isStopped || opened !== socket || open(), retryMs);
    });
  }

  function stop(): void {
    isStopped = true;
    isWaiting = false;
    socket?.destroy();
  }

  open();
  return {
    observation,
    isWaiting: () => isWaiting,
    cut() {
      if (isStopped || socket === null) return;
      const before = socket;
      tally.reconnects++;
      open();
      if (number % 4 < 2 || before.connecting) before.destroy();
      else before.resetAndDestroy(); // as a network would
    },
    stop,
  };
}

function requestOf({ taskId, key, isStream }: Waiter, version: string): string {
  const preference = isStream ? "Accept: text/event-stream" : "Prefer: wait=60";
  const known = `${isStream ? "Last-Event-ID" : "If-None-Match"}: ${version}`;
  const lines = [
    `GET /api/v1/jobs/queryTask?taskId=${taskId} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
    // The first poll does not wait: its response gives the version.
    ...(isStream || version !== "" ? [preference] : []),
    ...(version === "" ? [] : [known]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function noteFault({ faults }: Tally, isStream: boolean, status: number): void {
  if (status === 200 || status === (isStream ? 204 : 304)) return;
  const fault = `${isStream ? "stream" : "poll"} ${status}`;
  faults[fault] = (faults[fault] ?? 0) + 1;
}

/** Passes on the complete events of a text; returns the rest. */
function takeEvents(text: string, see: (id: string, data: string) => void): string {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  for (const block of blocks) {
    const id = /^id: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (id !== undefined && data !== undefined) see(id, data);
  }
  return rest;
}
