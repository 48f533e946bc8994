import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { isUnavailable } from "../db/database.ts";
import { ApiError, errorCatalogue, type Language, languageTags, type Text } from "../errors.ts";
import { languageOfRequest } from "../http/in-language.ts";
import { addOpenTasksHeaders } from "../http/open-tasks.ts";

const unavailableRetryAfterSeconds = 2;

/** Faults that the framework finds before a route runs. */
const frameworkErrors: Record<string, ApiError["code"]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "malformed_request",
  FST_ERR_BAD_URL: "not_found",
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
};

/** The only place where an error becomes a response. Unexpected errors are a 500 without details. */
export function renderError(ctx: Context) {
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const error = toApiError(thrown, request.routeOptions.bodyLimit);
    request.errorCode = error.code;
    if (error.code === "internal_error")
      ctx.log.error({ event: "request.failed", requestId: request.id, reason: thrown.stack });
    else if (error.code === "service_unavailable" && error !== thrown)
      ctx.log.warn({ event: "request.unavailable", requestId: request.id, reason: String(thrown) });
    if (error.retryAfterSeconds !== undefined) reply.header("Retry-After", error.retryAfterSeconds);
    if (error.openTasks !== undefined) addOpenTasksHeaders(reply, error.openTasks);
    if (error.code === "unauthorized") reply.header("WWW-Authenticate", 'Bearer realm="zoetrope"');
    reply.header("X-Request-Id", request.id);
    const language = languageOfRequest(request);
    reply.header("Content-Language", languageTags[language]);
    return reply
      .code(errorCatalogue[error.code].status)
      .send(errorBody(error, request.id, language));
  };
}

export function errorBody(error: ApiError, requestId: string, language: Language = "en") {
  return {
    message: error.text[language],
    code: error.code,
    requestId,
    param: error.param,
  };
}

function toApiError(thrown: FastifyError, bodyBytesMax: number): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const code = frameworkErrors[thrown.code];
  if (code === "invalid_json" || (code === undefined && thrown.statusCode === 400))
    return new ApiError("invalid_json", { param: "body", message: invalidJson });
  if (code === "body_too_large") return new ApiError(code, { message: tooLarge(bodyBytesMax) });
  if (code !== undefined) return new ApiError(code);
  if (isUnavailable(thrown))
    return new ApiError("service_unavailable", { retryAfterSeconds: unavailableRetryAfterSeconds });
  return new ApiError("internal_error");
}

const invalidJson: Text = { en: "body: must be valid JSON", zh: "body：必须是有效的 JSON" };

function tooLarge(bytesMax: number): Text {
  return {
    en: `The request body is too large: it may have ${bytesMax} bytes here.`,
    zh: `请求体过大：此处最多 ${bytesMax} 字节。`,
  };
}
