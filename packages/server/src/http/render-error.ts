import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { ApiError, errorCatalogue } from "../errors.ts";

/** Faults that the framework finds before a route runs. */
const frameworkErrors: Record<string, ApiError["code"]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_json",
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
};

/** The one place where an error becomes an answer. What is not foreseen is a 500 and says nothing. */
export function renderError(ctx: Context) {
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const error = toApiError(thrown);
    if (error.code === "internal_error")
      ctx.log.error({ event: "request.broken", requestId: request.id, reason: thrown.stack });
    const { status } = errorCatalogue[error.code];
    if (error.retryAfterSeconds !== undefined) reply.header("Retry-After", error.retryAfterSeconds);
    return reply.code(status).send({
      message: error.message,
      code: error.code,
      requestId: request.id,
      ...(error.param === undefined ? {} : { param: error.param }),
    });
  };
}

function toApiError(thrown: FastifyError): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const code = frameworkErrors[thrown.code];
  if (code !== undefined) return new ApiError(code);
  if (thrown.statusCode === 400) return new ApiError("invalid_json");
  return new ApiError("internal_error");
}
