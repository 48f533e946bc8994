// Receives callbacks with Fastify: PORT=3000 node fastify-receiver.ts
import { type GenerationTask, unwrapWebhook, WebhookError } from "@zoetrope/sdk";
import { fastify } from "fastify";

const { ZOETROPE_WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const seen = new Set<string>(); // in production a table, written in the transaction of the effect

const app = fastify();

// Keeps the raw text: the signature covers every byte of it.
app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
  done(null, body),
);

app.post("/", async (request, reply) => {
  const body = String(request.body);
  const task = await unwrapWebhook<GenerationTask>(body, request.headers, ZOETROPE_WEBHOOK_SECRET);
  const id = String(request.headers["webhook-id"]);
  if (!seen.has(id)) console.log(`${task.taskId} ${task.status}`); // a callback can arrive twice
  seen.add(id);
  return reply.code(204).send();
});

app.setErrorHandler((error, _request, reply) =>
  // Anything but a 2xx is delivered again.
  reply.code(error instanceof WebhookError ? 401 : 500).send(),
);

const address = await app.listen({ host: "127.0.0.1", port: Number(PORT) });
console.log(`Listening on ${address}`);
