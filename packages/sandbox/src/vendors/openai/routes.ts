import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, RefusalError } from "../../kit/image-answer.ts";
import { createImageHandler, type ImageParts, send } from "../../kit/image-handler.ts";
import type { RateLimit } from "../../kit/rate-limit.ts";
import { invalidRequest, openaiError } from "./errors.ts";
import { internal, openaiErrors, wrongKey } from "./outcomes.ts";
import { readEdit, readGeneration } from "./read-request.ts";

/** Ten images of 50 MB, and the rest of the form. */
const bodyBytesMax = 512 * 1024 * 1024;

/** OpenAI's two calls for images; to be registered under `/openai/v1`. */
export function openaiRoutes(parts: ImageParts, key: string, limit?: RateLimit) {
  const answerRequest = createImageHandler(parts, openaiErrors, limit);
  return async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request) => authenticate(request, key));
    app.setErrorHandler(answerError);
    app.setNotFoundHandler((request) => {
      const message = `Invalid URL (${request.method} ${request.url.slice(0, 200)})`;
      const type = "invalid_request_error";
      throw new RefusalError(openaiError({ httpStatus: 404, type, code: null, message }));
    });
    app.addContentTypeParser<Buffer>(
      "multipart/form-data",
      { parseAs: "buffer" },
      async (request: FastifyRequest, body: Buffer) =>
        readForm(body, request.headers["content-type"] ?? ""),
    );
    app.get("/models", async () => ({ object: "list", data: [] }));
    const options = { bodyLimit: bodyBytesMax };
    app.post("/images/generations", (request, reply) =>
      answerRequest(reply, () => readGeneration(request.body)),
    );
    app.post("/images/edits", options, (request, reply) =>
      answerRequest(reply, () => readEdit(request.body)),
    );
  };
}

async function readForm(body: Buffer, contentType: string): Promise<FormData> {
  try {
    const headers = { "content-type": contentType };
    return await new Response(new Uint8Array(body), { headers }).formData();
  } catch (error) {
    const message = "We could not parse the multipart form of your request.";
    throw new RefusalError(invalidRequest("invalid_multipart", null, message), { cause: error });
  }
}

function authenticate(request: FastifyRequest, key: string) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = request.headers.authorization ?? "";
  if (timingSafeEqual(digest(given), digest(`Bearer ${key}`))) return;
  const message =
    given === "" ? "You didn't provide an API key." : "Incorrect API key provided: sk-***.";
  throw new RefusalError(wrongKey(message));
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
  if (status >= 500) return internal();
  const message = "We could not parse the body of your request.";
  const type = "invalid_request_error";
  return openaiError({ httpStatus: status, type, code: null, message });
}
