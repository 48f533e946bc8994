import { setTimeout as pause } from "node:timers/promises";
import { startClient, type WaitingClient } from "./client.ts";
import type { FromClients, Tally, ToClients } from "./messages.ts";

/** Many clients in a separate process; controlled and reported by messages. */
const connectsPerSecond = 500;
const reportEveryMs = 250;

let clients: WaitingClient[] = [];
let cutting: NodeJS.Timeout | undefined;
const tally: Tally = { reconnects: 0, faults: {} };

const report = (message: FromClients) => process.send?.(message);
const count = (isTrue: (client: WaitingClient) => boolean) => clients.filter(isTrue).length;

process.on("disconnect", () => process.exit(0));
process.on("message", (message: ToClients) => {
  if (message.kind === "start") void start(message);
  else if (message.kind === "cut") cutting = startCutting(message.everyMs);
  else report({ kind: "report", observations: clients.map(({ observation }) => observation) });
});
setInterval(() => {
  const waiting = count((client) => client.isWaiting());
  const ended = count(({ observation }) => observation.endSeenAtMs !== null);
  report({ kind: "progress", waiting, ended, ...tally });
}, reportEveryMs);

async function start(message: Extract<ToClients, { kind: "start" }>): Promise<void> {
  const { port, waiters } = message;
  clearInterval(cutting);
  for (const client of clients) client.stop();
  clients = [];
  tally.reconnects = 0;
  for (const [number, waiter] of waiters.entries()) {
    clients.push(startClient(waiter, { number, port, tally }));
    if (number % (connectsPerSecond / 20) === 0) await pause(50);
  }
}

/** Cuts everybody once in the time given, evenly spread over it. */
function startCutting(everyMs: number): NodeJS.Timeout {
  const startedAt = performance.now();
  let cuts = 0;
  return setInterval(() => {
    const due = ((performance.now() - startedAt) / everyMs) * clients.length;
    for (; cuts < due; cuts++) clients[cuts % clients.length]?.cut();
  }, 10);
}
