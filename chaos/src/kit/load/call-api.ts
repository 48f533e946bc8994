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
  try {
    const response = await fetch(`${apiUrl}${call.path}`, {
      method: call.method,
      headers: {
        authorization: `Bearer ${call.key}`,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: AbortSignal.timeout(call.answerMsMax ?? answerMsUsual),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return "none";
  }
}
