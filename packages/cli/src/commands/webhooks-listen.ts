import { randomBytes } from "node:crypto";
import { type Event, signWebhook } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { variable } from "../environment.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { onStdout } from "../terminal/talk.ts";
import { followEvents } from "./follow-events.ts";

/** The time for which the service waits for a receiver. */
const forwardMsMax = 15_000;

interface Forwarded {
  number: number;
  type: string;
  taskId: string;
  webhookId: string;
  status: number | null;
  durationMs: number;
  /** Why there is no status. */
  reason: string | null;
}

/** Sends every end of a task to a local receiver, as the service would, signed with a separate secret. */
export async function listenWebhooks(given: Invocation): Promise<void> {
  const url = parseTarget(textOption(given.options, "forwardTo") ?? "");
  const session = await openSession(given);
  const { talk, signal } = session;
  const ownSecret = variable("ZOETROPE_WEBHOOK_SECRET");
  const secret = ownSecret === undefined ? newSecret() : requireSecret(ownSecret);
  talk.say(`Forwarding to ${url}`);
  talk.say(
    ownSecret === undefined
      ? `Secret for this receiver: ${secret}`
      : "The secret is that of ZOETROPE_WEBHOOK_SECRET.",
  );
  const after = numberOption(given.options, "after");
  for await (const event of followEvents(session, { after, follow: true })) {
    const body = toBody(event, textOption(given.options, "format") ?? "callback");
    const done = await forward({ url, event, body, secret, signal });
    talk.result(done, () => {
      const mark = done.status !== null && done.status < 300 ? "green" : "red";
      const outcome = cleanText(String(done.status ?? done.reason));
      const what = cleanText(`${done.type}  ${done.taskId}`);
      return `${what}  ${onStdout(mark, outcome)}  ${done.durationMs} ms`;
    });
  }
}

function parseTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError(`${text} is not a http or https URL.`, "Such as http://localhost:3000/done.");
  return url.href;
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString("base64")}`;
}

/** Checks the secret from the environment, which lets a receiver keep its settings over several runs. */
function requireSecret(given: string): string {
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(given))
    throw usageError("ZOETROPE_WEBHOOK_SECRET is not whsec_ and base64.");
  return given;
}

/** Returns the body that a `callBackUrl` or an endpoint receives. */
function toBody({ type, createdAt, data }: Event, format: string): string {
  if (format === "callback") return JSON.stringify(data);
  return JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data });
}

async function forward(given: {
  url: string;
  event: Event;
  body: string;
  secret: string;
  signal: AbortSignal;
}): Promise<Forwarded> {
  const { number, type, taskId, webhookId } = given.event;
  const began = performance.now();
  let status: number | null = null;
  let reason: string | null = null;
  try {
    const signed = await signWebhook(given.body, given.secret, { id: webhookId });
    const response = await fetch(given.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signed },
      body: given.body,
      redirect: "manual", // as the service: a redirect is a failure
      signal: AbortSignal.any([given.signal, AbortSignal.timeout(forwardMsMax)]),
    });
    await response.body?.cancel();
    status = response.status;
  } catch (error) {
    given.signal.throwIfAborted();
    reason = reasonOf(error);
  }
  const durationMs = Math.round(performance.now() - began);
  return { number, type, taskId, webhookId, status, durationMs, reason };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  if (error.name === "TimeoutError") return `no answer within ${forwardMsMax / 1000} s`;
  return error.cause instanceof Error && "code" in error.cause
    ? String(error.cause.code)
    : "no answer";
}
