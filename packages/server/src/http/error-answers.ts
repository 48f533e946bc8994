import { z } from "zod";
import { type ErrorCode, errorCatalogue } from "../errors.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];

export function codesOf(status: number): ErrorCode[] {
  return codes.filter((code) => errorCatalogue[code].status === status);
}

/** The body of every refusal; `code` is one of the catalogue's for that status. */
function errorBody(status: number) {
  return z
    .object({
      message: z
        .string()
        .meta({ description: "Human-readable description of the error and its remedy." }),
      code: z.enum(codesOf(status)),
      requestId: z.string().meta({ description: "Also sent in the X-Request-Id header." }),
      param: z
        .string()
        .optional()
        .meta({ description: "Path of the invalid parameter, such as inputs.urls[2]." }),
    })
    .meta({ id: `Error${status}` });
}

const bodies = {
  400: errorBody(400),
  401: errorBody(401),
  402: errorBody(402),
  403: errorBody(403),
  404: errorBody(404),
  409: errorBody(409),
  413: errorBody(413),
  415: errorBody(415),
  422: errorBody(422),
  429: errorBody(429),
  500: errorBody(500),
  503: errorBody(503),
} as const;
type Refusal = keyof typeof bodies;

/**
 * The refusals of a route for its `response` schema. 503 is always included: every route needs the
 * database.
 */
export function refusals<Status extends Refusal>(
  ...statuses: Status[]
): Pick<typeof bodies, Status | 503> {
  return Object.fromEntries(
    [...statuses, 503 as const].map((status) => [status, bodies[status]]),
  ) as Pick<typeof bodies, Status | 503>;
}
