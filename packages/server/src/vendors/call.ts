import { File } from "node:buffer";
import { openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import { SpanKind } from "@opentelemetry/api";
import { Agent, FormData, request } from "undici";
import { readAtMost } from "../media/fetch/safe-fetch.ts";
import { inSpan, noteOnSpan } from "../tracing/in-span.ts";
import { traceHeaders } from "../tracing/trace-context.ts";

/** The result of one HTTP call to a vendor, by what is known afterwards. */
export type Answer =
  | {
      kind: "answered";
      status: number;
      json: unknown;
      retryAfterMs: number | null;
      /** The number of requests that the vendor still allows at the moment, if it reports it. */
      requestsLeft?: number;
    }
  | { kind: "unsent"; detail: string } // no connection: the vendor cannot have seen it
  | { kind: "lost"; detail: string }; // sent, or perhaps sent, without a usable response

/** One part of a multipart form. */
export type FormField = readonly [
  name: string,
  value:
    | string
    | (({ kind: "bytes"; bytes: Buffer } | { kind: "file"; path: string }) & {
        contentType: string;
        fileName: string;
      }),
];

/** A long text that is made while it is sent. */
export interface JsonStream {
  sizeBytes: number;
  write(): AsyncIterable<string>;
}

const answerBytesMaxUsual = 1024 * 1024;
const connectMsMax = 5_000;
const unsentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The error codes of a reused connection that the other side has just closed. */
const closedCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** The only time limit is the call's own. */
const usual = { connect: { timeout: connectMsMax }, headersTimeout: 0, bodyTimeout: 0 };
/**
 * The agent that uses a new connection for each submit: a reused one that the vendor closes at that moment
 * would turn an unsent submit into a lost one. Reads are simply repeated.
 */
const alone = new Agent({ ...usual, pipelining: 0 });
const shared = new Agent({ ...usual, pipelining: 1 });

interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  /** Sent as JSON too, as a stream. */
  stream?: JsonStream;
  /** Sent as multipart/form-data, in this order. */
  form?: readonly FormField[];
  totalMsMax: number;
  answerBytesMax?: number;
}

export function call(options: Call): Promise<Answer> {
  const { method, url } = options;
  const attributes = {
    "http.request.method": method,
    "server.address": URL.parse(url)?.hostname ?? "",
  };
  return inSpan(`vendor ${method}`, { kind: SpanKind.CLIENT, attributes }, async () => {
    const answer = await callOnce(options);
    if (answer.kind === "answered") noteOnSpan({ "http.response.status_code": answer.status });
    else noteOnSpan({}, `${answer.kind}: ${answer.detail}`);
    return answer;
  });
}

async function callOnce(
  options: Call,
  dispatcher = options.method === "GET" ? shared : alone,
): Promise<Answer> {
  const { method, url, headers, body, stream, form } = options;
  const json =
    body === undefined && stream === undefined ? {} : { "content-type": "application/json" };
  const length = stream === undefined ? {} : { "content-length": String(stream.sizeBytes) };
  try {
    const response = await request(url, {
      method,
      dispatcher,
      signal: AbortSignal.timeout(options.totalMsMax),
      headers: { ...headers, ...json, ...length, ...traceHeaders() },
      body: form
        ? await renderForm(form)
        : stream
          ? Readable.from(stream.write())
          : body
            ? JSON.stringify(body)
            : null,
    });
    const bytes = await readAtMost(response.body, options.answerBytesMax ?? answerBytesMaxUsual);
    return {
      kind: "answered",
      status: response.statusCode,
      json: parseJson(bytes),
      retryAfterMs: readRetryAfter(response.headers),
      ...readRequestsLeft(response.headers),
    };
  } catch (error) {
    const code = errorCode(error);
    if (dispatcher === shared && closedCodes.has(code)) return callOnce(options, alone);
    return { kind: unsentCodes.has(code) ? "unsent" : "lost", detail: code };
  }
}

/** Local files are read while they are sent and never whole in memory. */
async function renderForm(fields: readonly FormField[]): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else {
      const type = value.contentType;
      const file = value.kind === "file" ? await openAsBlob(value.path) : value.bytes;
      form.append(name, new File([file], value.fileName, { type }));
    }
  }
  return form;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Seconds or an HTTP date; also the milliseconds that some vendors send. */
export function readRetryAfter(
  headers: Record<string, string | string[] | undefined>,
  now = Date.now(),
): number | null {
  const number = (name: string) => {
    const value = Number(headers[name]);
    return headers[name] !== undefined && Number.isFinite(value) && value >= 0 ? value : null;
  };
  const seconds = number("retry-after");
  const text = String(headers["retry-after"]);
  const date = /^[A-Z]/.test(text) ? Date.parse(text) : Number.NaN; // `-1` would be a date as well
  const untilDate = Number.isNaN(date) ? null : Math.max(0, date - now);
  return number("retry-after-ms") ?? (seconds === null ? untilDate : seconds * 1000);
}

function readRequestsLeft(headers: Record<string, string | string[] | undefined>) {
  const text = String(headers["x-ratelimit-remaining-requests"]);
  return /^\d{1,12}$/.test(text) ? { requestsLeft: Number(text) } : {};
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
