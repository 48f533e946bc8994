// Receives callbacks with nothing but Node: PORT=3000 node node-receiver.ts
import { createServer, type IncomingMessage } from "node:http";
import { type GenerationTask, unwrapWebhook, WebhookError } from "@zoetrope/sdk";

const { ZOETROPE_WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const bodyBytesMax = 1_000_000;
const seen = new Set<string>(); // in production a table, written in the transaction of the effect

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request);
    const task = await unwrapWebhook<GenerationTask>(
      body,
      request.headers,
      ZOETROPE_WEBHOOK_SECRET,
    );
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) console.log(`${task.taskId} ${task.status}`); // a callback can arrive twice
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    // Anything but a 2xx is delivered again.
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
});

/** The raw text: the signature covers every byte of it. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyBytesMax) throw new WebhookError("The body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    console.log(`Listening on http://127.0.0.1:${address.port}`);
});
