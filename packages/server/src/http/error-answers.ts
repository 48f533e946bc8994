import { z } from "zod";
import { type CatalogueEntry, type ErrorCode, errorCatalogue } from "../errors.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** Returns the codes of a status; without `isStaff` those that customers can get. */
export function codesOf(status: number, isStaff = false): ErrorCode[] {
  return codes.filter((code) => {
    const entry: CatalogueEntry = errorCatalogue[code];
    return entry.status === status && (isStaff || entry.staff !== true);
  });
}

/** The body of every refusal; `code` is one of the catalogue's for that status. */
function errorBody(status: number, isStaff = false) {
  return z
    .object({
      message: z
        .string()
        .meta({ description: "Human-readable description of the error and its remedy." }),
      code: z.enum(codesOf(status, isStaff)),
      requestId: z.string().meta({ description: "Also sent in the X-Request-Id header." }),
      param: z
        .string()
        .optional()
        .meta({ description: "Path of the invalid parameter, such as inputs.urls[2]." }),
    })
    .meta({ id: `${isStaff ? "Staff" : ""}Error${status}` });
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

const staffBodies = {
  ...bodies,
  403: errorBody(403, true),
  404: errorBody(404, true),
  409: errorBody(409, true),
} as const;

/**
 * Returns the refusals of a route of the operator API. Every such route can refuse a caller or a rate of
 * requests.
 */
export function staffRefusals<Status extends Refusal>(
  ...statuses: Status[]
): Pick<typeof staffBodies, Status | 401 | 403 | 429 | 500 | 503> {
  const all = [...statuses, 401, 403, 429, 500, 503] as const;
  return Object.fromEntries(all.map((status) => [status, staffBodies[status]])) as Pick<
    typeof staffBodies,
    Status | 401 | 403 | 429 | 500 | 503
  >;
}
