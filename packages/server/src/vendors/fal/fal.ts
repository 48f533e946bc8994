import { z } from "zod";
import type { FailureCode } from "../../errors.ts";
import { type Answer, call } from "../call.ts";
import { detailOf } from "../detail.ts";
import { type Fault, type Refusal, readRefusal } from "../read-refusal.ts";
import { readUsage, type Usage } from "../read-usage.ts";
import type { PollResult } from "../vendor.ts";
import { isLink } from "../wire-values.ts";
import { verdictOf } from "./errors.ts";
import {
  errorSchema,
  renderSubmit,
  requestPath,
  resultSchema,
  statusSchema,
  submittedSchema,
  type UpscaleRequest,
  untypedCode,
} from "./wire.ts";

export const falSchema = z.strictObject({
  kind: z.literal("fal"),
  baseUrl: z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, "")),
  apiKey: z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: "must be printable" }),
  /** The model's id. Another one must take and give the same fields. */
  endpoint: z
    .string()
    .regex(/^\w[\w.-]*(\/\w[\w.-]*){1,9}$/, { error: "must have the form owner/name/path" })
    .default("fal-ai/bytedance-upscaler/upscale/video"),
  submitMsMax: z.int().min(1).max(600_000).default(15_000),
});
export type FalSettings = z.output<typeof falSchema>;

/** Videos made larger on fal's queue. No call retries by itself, none throws for what fal or a network can do. */
export interface Fal {
  /** The one call that costs money. fal knows no doubles and lists nothing: one that is lost stays lost. */
  submit(request: UpscaleRequest): Promise<{ kind: "accepted"; jobId: string } | Refusal>;
  poll(jobId: string): Promise<PollResult>;
  /** Best effort: what is being worked on may go on. */
  cancel(jobId: string): Promise<void>;
}

const callMsMax = 10_000;
/** The time for which results are kept. They are public for everybody who has the link, by default for ever. */
const resultKeptSeconds = 24 * 60 * 60;
/** The statuses that say nothing about the request that was queried. */
const ownFaultStatuses: readonly number[] = [401, 402, 403, 408, 409, 425, 429];
const clientClosed = 499;

/**
 * Creates the client of fal. It is written from public documentation and was never tried with a live key.
 * Addresses are made of the request's id: those in fal's responses are not followed, since every call
 * contains the key.
 */
export function createFal({ baseUrl, apiKey, endpoint, submitMsMax }: FalSettings): Fal {
  const headers = { authorization: `Key ${apiKey}` };
  const send = (method: "GET" | "PUT", jobId: string, path: string) =>
    call({
      method,
      url: baseUrl + requestPath(endpoint, jobId) + path,
      headers,
      totalMsMax: callMsMax,
    });
  return {
    async submit(request) {
      const answer = await call({
        method: "POST",
        url: `${baseUrl}/${endpoint}`,
        headers: {
          ...headers,
          "x-fal-object-lifecycle-preference": JSON.stringify({
            expiration_duration_seconds: resultKeptSeconds,
          }),
        },
        body: renderSubmit(request),
        totalMsMax: submitMsMax,
      });
      const submitted = submittedSchema.safeParse(goodJson(answer)).data;
      if (submitted) return { kind: "accepted", jobId: submitted.request_id };
      return readRefusal(answer, provenFault(answer), verdictOf);
    },

    async poll(jobId) {
      const answer = await send("GET", jobId, "/status");
      const status = statusSchema.safeParse(goodJson(answer)).data;
      if (status?.request_id !== jobId) return unseen(answer);
      if (status.status !== "COMPLETED") return { kind: "waiting" };
      const usage = readUsage(status.metrics);
      if (status.error_type != null) {
        const fault = { code: status.error_type, message: status.error ?? "" };
        return failed(fault, "vendor_failed", usage);
      }
      return readResult(await send("GET", jobId, ""), { isFailed: status.error != null, usage });
    },

    async cancel(jobId) {
      await send("PUT", jobId, "/cancel");
    },
  };
}

/** Returns the JSON of a successful call. */
function goodJson(answer: Answer): unknown {
  const isGood = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
  return isGood ? answer.json : undefined;
}

/**
 * Returns a proven fault. fal's report that we closed the connection says nothing about what it had taken
 * before.
 */
function provenFault(answer: Answer): Fault | null {
  if (answer.kind !== "answered" || answer.status === clientClosed) return null;
  return errorSchema.safeParse(answer.json).data ?? null;
}

function unseen(answer: Answer): PollResult {
  if (answer.kind !== "answered") return { kind: "unavailable", detail: answer.detail };
  if (answer.status === 404) return { kind: "missing" };
  return { kind: "unavailable", detail: `status ${answer.status}` };
}

const anObject = z.record(z.string(), z.unknown());

/** The status and the body of the result are the model's own. `isFailed`: fal reported an error. */
function readResult(
  answer: Answer,
  { isFailed, usage }: { isFailed: boolean; usage: Usage | null },
): PollResult {
  const json = goodJson(answer);
  const url = resultSchema.safeParse(json).data?.video.url;
  if (isLink(url)) return { kind: "succeeded", mediaUrl: url, usage };
  if (anObject.safeParse(json).success)
    return { kind: "failed", code: "output_unusable", detail: "completed without a link", usage };
  if (answer.kind !== "answered" || ownFaultStatuses.includes(answer.status)) return unseen(answer);
  const fault = errorSchema.safeParse(answer.json).data;
  // Types are the model's. An error without one can be that of a gateway in between.
  const isModels = fault !== undefined && (isFailed || fault.code !== untypedCode);
  if (!isModels || answer.status < 400 || answer.status === 404) return unseen(answer);
  return failed(fault, answer.status >= 500 ? "vendor_failed" : "vendor_refused", usage);
}

function failed(fault: Fault, otherwise: FailureCode, usage: Usage | null): PollResult {
  const verdict = verdictOf(fault) ?? otherwise;
  const code = verdict === "throttled" ? "vendor_failed" : verdict;
  return { kind: "failed", code, detail: detailOf(`${fault.code}:`, fault.message), usage };
}
