import { once } from "node:events";
import { Agent, request } from "node:http";

export interface HostileRequest {
  path: string;
  method?: "GET" | "POST" | "DELETE";
  key?: string;
  body?: unknown;
  /** The text sent as it is in place of a body. */
  text?: string;
  /** The kind noted before the response. */
  kind?: string | undefined;
  headers?: Record<string, string>;
}

const answerMsMax = 30_000;

/**
 * Sends requests from a separate loopback address, on this many connections, one after the other on
 * each, until stopped.
 */
export async function flood(
  options: { apiUrl: string; fromAddress: string; connections: number; stop: AbortSignal },
  next: (count: number) => HostileRequest,
  note: (what: string) => void,
): Promise<void> {
  const { apiUrl, fromAddress, connections, stop } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let count = 0;
  const one = async () => {
    while (!stop.aborted) {
      const sent = next(count++);
      const answer = await sendRequest({ apiUrl, fromAddress, agent, stop }, sent);
      note(sent.kind === undefined ? answer : `${sent.kind} ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
}

/** Returns the status of the response, or why there was none. */
async function sendRequest(
  from: { apiUrl: string; fromAddress: string; agent: Agent; stop: AbortSignal },
  { path, method = "GET", key, body, text: raw, headers = {} }: HostileRequest,
): Promise<string> {
  const signal = AbortSignal.any([from.stop, AbortSignal.timeout(answerMsMax)]);
  const text = body === undefined ? (raw ?? null) : JSON.stringify(body);
  try {
    const sent = request(from.apiUrl + path, {
      method,
      agent: from.agent,
      localAddress: from.fromAddress,
      signal,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(text === null ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    sent.end(text);
    const [response] = await once(sent, "response", { signal });
    response.resume();
    await once(response, "end", { signal });
    return String(response.statusCode);
  } catch (error) {
    if (from.stop.aborted) return "stopped";
    return error instanceof Error && "code" in error ? String(error.code) : "broken";
  }
}
