import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, RefusalError } from "../../kit/image-answer.ts";
import { createImageHandler, type ImageParts, send } from "../../kit/image-handler.ts";
import type { RateLimit } from "../../kit/rate-limit.ts";
import { geminiError, invalidArgument } from "./errors.ts";
import { geminiErrors, internal, noKey, wrongKey } from "./outcomes.ts";
import { readRequest } from "./read-request.ts";

const bodyBytesMax = 100 * 1024 * 1024;
const method = ":generateContent";

/** Gemini's one call; to be registered under `/gemini/v1beta`. */
export function geminiRoutes(parts: ImageParts, key: string, limit?: RateLimit) {
  const answerRequest = createImageHandler(parts, geminiErrors, limit);
  return async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request) => authenticate(request, key));
    app.setErrorHandler(answerError);
    app.setNotFoundHandler(notFound);
    app.get("/models", async () => ({ models: [] }));
    app.post<{ Params: { call: string } }>(
      "/models/:call",
      { bodyLimit: bodyBytesMax },
      (request, reply) => {
        const { call } = request.params;
        if (!call.endsWith(method)) return notFound(request);
        return answerRequest(reply, () => readRequest(call.slice(0, -method.length), request.body));
      },
    );
  };
}

function notFound({ method, url }: FastifyRequest): never {
  const message = `The requested URL was not found: ${method} ${url.slice(0, 200)}`;
  throw new RefusalError(geminiError("NOT_FOUND", message));
}

function authenticate(request: FastifyRequest, key: string) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = request.headers["x-goog-api-key"] ?? "";
  if (typeof given === "string" && timingSafeEqual(digest(given), digest(key))) return;
  throw new RefusalError(given === "" ? noKey() : wrongKey());
}

function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  return send(reply, error instanceof RefusalError ? error.answer : unreadable(error));
}

/**
 * Converts an error of Fastify: a request that it could not read is the caller's fault, anything
 * else the sandbox's.
 */
function unreadable(error: unknown): Answer {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status === 413) {
    return invalidArgument(`Request payload size exceeds the limit: ${bodyBytesMax} bytes.`);
  }
  return status < 500 ? invalidArgument("Invalid JSON payload received.") : internal();
}
