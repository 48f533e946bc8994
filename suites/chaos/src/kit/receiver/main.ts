import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { openLineLog } from "../json-lines.ts";
import type { ReceivedRequest } from "./received-request.ts";

/**
 * A customer's server: it logs every callback before it responds. The second part of the path
 * selects the response: /hooks/<behaviour>/<number>.
 */
const [logPath, ...ports] = process.argv.slice(2);
if (logPath === undefined || ports.length === 0) {
  process.stderr.write("Usage: node receiver/main.ts LOG PORT...\n");
  process.exit(2);
}

/** The responses to the n-th request for a path; null drops the connection. */
const behaviours: Record<string, (nth: number) => number | null | "nothing"> = {
  well: () => 200,
  "500-first": (nth) => (nth === 1 ? 500 : 204),
  "drop-first": (nth) => (nth === 1 ? null : 200),
  "500-always": () => 500,
  hang: () => "nothing",
};

const log = openLineLog<ReceivedRequest>(logPath);
const counts = new Map<string, number>();

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = Date.now();
  const path = request.url ?? "";
  const body = await text(request);
  const nth = (counts.get(path) ?? 0) + 1;
  counts.set(path, nth);
  const answered = (behaviours[path.split("/")[2] ?? ""] ?? (() => 404))(nth);
  log.write({
    at,
    path,
    webhookId: headerOf(request, "webhook-id"),
    webhookTimestamp: headerOf(request, "webhook-timestamp"),
    webhookSignature: headerOf(request, "webhook-signature"),
    body,
    answered: answered === "nothing" ? null : answered,
  });
  if (answered === null) request.socket.destroy();
  else if (answered !== "nothing") response.writeHead(answered).end();
}

const listening = ports.map(async (port) => {
  const server = createServer((request, response) => {
    receive(request, response).catch(() => request.socket.destroy()); // the sender disconnected
  });
  server.on("clientError", (_error, socket) => socket.destroy()); // a sender was killed
  server.listen(Number(port), "127.0.0.1");
  await once(server, "listening");
});
await Promise.all(listening);
process.stdout.write("receiver.listening\n");
