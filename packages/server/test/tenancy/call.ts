import type { buildApi } from "../../src/api/build-api.ts";
import { withoutUndefined } from "../../src/http/without-undefined.ts";

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  /** The headers without those that naturally differ between responses. */
  headers: string;
  /** The id of the request written as `<request>`. */
  text: string;
}

export type Caller = (key: string | null, call: Call) => Promise<Answer>;

/** A refusal comes at once; a stream that should not have begun would never end. */
const answerMsMax = 300_000;
/** A busy machine can make the database too slow: 503 asks to repeat the request. */
const triesMax = 10;
const changing = ["x-request-id", "date", "ratelimit", "connection"];

/** Calls the real api, whole but for the socket. */
export function callerOf(api: Awaited<ReturnType<typeof buildApi>>): Caller {
  return async (key, { method, url, body, headers = {} }) => {
    const ask = () =>
      api.inject(
        withoutUndefined({
          method,
          url,
          headers: withoutUndefined({
            authorization: key === null ? undefined : `Bearer ${key}`,
            ...headers,
          }),
          signal: AbortSignal.timeout(answerMsMax),
          payload: body,
        }),
      );
    let response = await ask();
    for (let tries = 1; response.statusCode === 503 && tries < triesMax; tries++)
      response = await ask();
    const requestId = String(response.headers["x-request-id"]);
    const kept = Object.entries(response.headers).filter(([name]) => !changing.includes(name));
    return {
      status: response.statusCode,
      headers: JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1))),
      text: response.body.replaceAll(requestId, "<request>"),
    };
  };
}
