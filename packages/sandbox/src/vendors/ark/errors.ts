import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import { retryAfter } from "../../kit/rate-limit.ts";

/** An error as Ark reports it, in an HTTP response or as the `error` of a failed task. */
export class ArkError extends Error {
  readonly code: string;
  readonly param: string;
  readonly httpStatus: number;
  /** The time to wait before the next try, where Ark specifies one. */
  readonly waitMs: number | undefined;

  constructor(code: string, message: string, param = "", waitMs?: number) {
    super(`${message} Request id: ${randomBytes(16).toString("hex")}`);
    this.code = code;
    this.param = param;
    this.httpStatus = httpStatusOf(code);
    this.waitMs = waitMs;
  }
}

const httpStatuses: readonly (readonly [RegExp, number])[] = [
  [/^(AuthenticationError|InvalidAccountStatus)/, 401],
  [/^(AccessDenied|OperationDenied|AccountOverdueError)/, 403],
  [/^(InvalidEndpointOrModel|ModelNotOpen|ResourceNotFound)/, 404],
  [/^InvalidAction/, 409],
  [/(RateLimitExceeded|RequestBurstTooFast|QuotaExceeded|SetLimitExceeded)/, 429],
  [/^(InflightBatchsizeExceeded|ServerOverloaded)/, 429],
  [/^InternalServiceError/, 500],
];

const typePhrases: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalServerError",
};

/** The HTTP status that goes with a code; a code we do not know counts as a bad request. */
function httpStatusOf(code: string): number {
  return httpStatuses.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}

export function sendError(reply: FastifyReply, error: ArkError): FastifyReply {
  const { code, message, param, httpStatus, waitMs } = error;
  if (waitMs !== undefined) reply.header("retry-after", retryAfter(waitMs));
  const type = typePhrases[httpStatus] ?? "BadRequest";
  return reply.code(httpStatus).send({ error: { code, message, param, type } });
}

export function invalidParameter(param: string, why: string): ArkError {
  const message = `The parameter \`${param}\` specified in the request is not valid: ${why}.`;
  return new ArkError("InvalidParameter", message, param);
}

export function missingParameter(param: string): ArkError {
  const message = `The request failed because it is missing the parameter \`${param}\`.`;
  return new ArkError("MissingParameter", message, param);
}

export function taskNotFound(id: string): ArkError {
  return new ArkError("ResourceNotFound", `The task \`${id.slice(0, 100)}\` was not found.`, "id");
}
