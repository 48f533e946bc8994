import { Agent, request } from "undici";
import { readAtMost } from "../media/safe-fetch.ts";

/** One HTTP call to a vendor, told apart by what is known afterwards. */
export type Answer =
  | { kind: "answered"; status: number; json: unknown; retryAfterMs: number | null }
  | { kind: "unsent"; detail: string } // no connection: the vendor cannot have seen it
  | { kind: "lost"; detail: string }; // sent, or perhaps sent, and no usable answer

const answerBytesMax = 1024 * 1024;
const connectMsMax = 5_000;
const unsentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

// No kept-alive connections: one that the vendor closes just as we reuse it would turn an unsent
// submit into a lost one.
const agent = new Agent({ pipelining: 0, connect: { timeout: connectMsMax } });

export async function call(options: {
  method: "GET" | "POST";
  url: string;
  key: string;
  body?: unknown;
  totalMsMax: number;
}): Promise<Answer> {
  try {
    const response = await request(options.url, {
      method: options.method,
      dispatcher: agent,
      signal: AbortSignal.timeout(options.totalMsMax),
      headers: { authorization: `Bearer ${options.key}`, "content-type": "application/json" },
      body: options.body === undefined ? null : JSON.stringify(options.body),
    });
    const bytes = await readAtMost(response.body, answerBytesMax);
    return {
      kind: "answered",
      status: response.statusCode,
      json: parseJson(bytes),
      retryAfterMs: readRetryAfter(response.headers["retry-after"]),
    };
  } catch (error) {
    const code = errorCode(error);
    return { kind: unsentCodes.has(code) ? "unsent" : "lost", detail: code };
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function readRetryAfter(header: string | string[] | undefined): number | null {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
