const answerMsUsual = 10_000;

export interface Call {
  method: "GET" | "POST";
  path: string;
  key: string;
  body?: unknown;
  idempotencyKey?: string;
  answerMsMax?: number;
}

export type Answer = { status: number; body: unknown } | "none";

/** One request to the service; "none" when the connection broke or nothing came in time. */
export async function callApi(apiUrl: string, call: Call): Promise<Answer> {
  const headers = new Headers({ authorization: `Bearer ${call.key}` });
  if (call.body !== undefined) headers.set("content-type", "application/json");
  if (call.idempotencyKey !== undefined) headers.set("idempotency-key", call.idempotencyKey);
  try {
    const response = await fetch(`${apiUrl}${call.path}`, {
      method: call.method,
      headers,
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: AbortSignal.timeout(call.answerMsMax ?? answerMsUsual),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return "none";
  }
}

/** An account that calls one api. */
export interface Caller {
  readonly apiUrl: string;
  readonly key: string;
}

/** Returns the body of a response that must be a 200: to a GET, or to a POST when there is a body. */
export async function ask<Body>(caller: Caller, path: string, body?: unknown): Promise<Body> {
  const method = body === undefined ? ("GET" as const) : ("POST" as const);
  const answer = await callApi(caller.apiUrl, { method, path, key: caller.key, body });
  if (answer !== "none" && answer.status === 200) return answer.body as Body;
  throw new Error(`${method} ${path}: ${answer === "none" ? "no answer" : JSON.stringify(answer)}`);
}
