import { createHmac } from "node:crypto";
import { serveHttp } from "@zoetrope/mcp";
import { Zoetrope } from "@zoetrope/sdk";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ApiError, NoPermitFree } from "../errors.ts";
import { createSemaphore } from "../flow/semaphore.ts";
import { refusals } from "../http/error-answers.ts";
import { checkOrigin } from "./check-origin.ts";
import { createInnerFetch, type Injected } from "./inner-fetch.ts";
import { readPoster } from "./read-poster.ts";

/** Calls wait for tasks: an agent has few at once, and an account has not many agents. */
const callsAtOnce = { permitsMax: 512, permitsPerOwnerMax: 32, sparePermits: 64 };
const callWaitMsMax = 2_000;
/** A client that repeats a call does so within minutes. */
const repeatMsMax = 15 * 60_000;
const bodyBytesMax = 128 * 1024;

const message = z
  .unknown()
  .meta({ description: "A JSON-RPC message of the Model Context Protocol." });

const answered = {
  description: "The response, or a stream of messages that ends with it.",
  content: {
    "application/json": { schema: message },
    "text/event-stream": { schema: z.string() },
  },
};

/**
 * The Model Context Protocol over HTTP. The tools call the routes of this server with the caller's key,
 * so that limits, scopes, budgets, metrics and the log are those of any other call.
 */
export function mcpRoutes(ctx: Context): FastifyPluginAsync {
  const { publicUrl, secret } = ctx.config.links;
  const hosts = { publicUrl, hasProxy: ctx.config.api.proxies > 0 };
  const stateSecret = createHmac("sha256", secret).update("mcp questions").digest();
  const calls = createSemaphore(callsAtOnce);

  async function answer(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const { keyId } = request.caller;
    if (keyId === null) throw new ApiError("unauthorized");
    const { authorization = "", ...headers } = request.headers;
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const { address, userAgent } = request.facts;
    const replayed = new Set<string>();
    const inner = createInnerFetch((call: Injected) => app.inject(call), {
      requestId: request.id,
      address,
      userAgent,
      onReplay: (idempotencyKey) => replayed.add(idempotencyKey),
    });
    const client = new Zoetrope({
      baseUrl: publicUrl,
      apiKey: authorization.split(" ")[1] ?? "",
      fetch: inner,
      retriesMax: 0, // the agent decides
    });
    const onError = (error: unknown) =>
      ctx.log.warn({ event: "mcp.failed", requestId: request.id, reason: String(error) });
    return serveHttp(
      {
        client,
        caller: keyId,
        secret: stateSecret,
        onError,
        repeats: { msMax: repeatMsMax, wasReplayed: (key) => replayed.has(key) },
        readPoster: (url) => readPoster(ctx.storage, url),
      },
      new Request(`${publicUrl}/mcp`, {
        method: "POST",
        signal: gone.signal,
        headers: textHeaders(headers),
      }),
      request.body,
    );
  }

  return async (app) => {
    app.post(
      "/mcp",
      {
        bodyLimit: bodyBytesMax,
        config: { anyKey: true, isRead: true }, // each tool's own call is checked
        schema: {
          operationId: "callMcp",
          summary: "Call tools over the Model Context Protocol",
          description:
            "One JSON-RPC message of the Model Context Protocol, without a session: an agent lists the tools and calls them with the account's key. Limits, scopes and budgets of the key apply to what a tool does.",
          tags: ["mcp"],
          body: message.meta({ examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }] }),
          response: { 200: answered, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
        onRequest: async ({ headers }) => checkOrigin(headers, hosts),
      },
      async (request, reply) => {
        const entry = { owner: request.caller.id, waitMsMax: callWaitMsMax };
        const release = await calls.take(entry).catch(refuse);
        reply.raw.once("close", release);
        if (reply.raw.destroyed) {
          release(); // the client left while it waited for its turn
          return reply.hijack();
        }
        const response = await answer(app, request, reply);
        return send(reply, response);
      },
    );
  };
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  return reply
    .code(status)
    .headers(Object.fromEntries(headers))
    .send(body ?? "");
}

function refuse(error: unknown): never {
  if (!(error instanceof NoPermitFree)) throw error;
  throw new ApiError("too_many_requests", { retryAfterSeconds: 1 });
}

function textHeaders(headers: FastifyRequest["headers"]): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
}
