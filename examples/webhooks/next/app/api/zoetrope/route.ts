// Receives callbacks in a route handler of Next: save it as app/api/zoetrope/route.ts
import { type GenerationTask, unwrapWebhook, WebhookError } from "@zoetrope/sdk";

const seen = new Set<string>(); // in production a table, written in the transaction of the effect

export async function POST(request: Request): Promise<Response> {
  const { ZOETROPE_WEBHOOK_SECRET = "" } = process.env;
  const body = await request.text(); // not json(): the signature covers every byte of the raw text
  try {
    const task = await unwrapWebhook<GenerationTask>(
      body,
      request.headers,
      ZOETROPE_WEBHOOK_SECRET,
    );
    const id = request.headers.get("webhook-id") ?? "";
    if (!seen.has(id)) console.log(`${task.taskId} ${task.status}`); // a callback can arrive twice
    seen.add(id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return new Response(null, { status: 401 });
  }
}
