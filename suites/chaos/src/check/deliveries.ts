import { isDeepStrictEqual } from "node:util";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import type { Violation } from "./evidence.ts";
import { faultOfSignature } from "./signature.ts";

/** The behaviour of a receiver: the second part of a callback URL's path. */
export type Behaviour = "well" | "500-always" | "hang" | "refuse";

/** Many deliveries to receivers of every kind, as the database and the receivers recorded them. */
export interface DeliveryEvidence {
  events: EventRow[];
  /** The deliveries by id, which is the event's. */
  deliveries: ReadonlyMap<string, MadeDelivery>;
  /** The received requests by `webhook-id`. */
  received: ReadonlyMap<string, ReceivedRequest[]>;
  /** The events found by paging through all of them, by `webhook-id`. */
  listed: ReadonlyMap<string, unknown>;
  secrets: ReadonlyMap<string, string>;
  /** Whether workers were killed meanwhile, so that an attempt may have no end. */
  hasKills: boolean;
  speed: number;
  /** The maximum delay of an attempt's start: more where the machine is busy with something else. */
  lateMsMax: number;
}

export interface EventRow {
  id: string;
  accountId: string;
  taskId: string;
  body: string;
  createdMs: number;
  committedMs: number;
}

export interface MadeDelivery {
  url: string;
  body: string;
  isDelivered: boolean;
  isGivenUp: boolean;
  attempts: MadeAttempt[];
}

export interface MadeAttempt {
  number: number;
  startedMs: number;
  /** null when the worker was killed during the attempt. */
  durationMs: number | null;
  status: number | null;
  reason: string | null;
}

const attemptsMax = 4;
/** Before the second, third and fourth attempt. */
const delaysMs = [1_000, 5_000, 30_000];
const timeoutMs = 15_000;
const roundingMs = 2;

export function behaviourOf(url: string): Behaviour {
  return new URL(url).pathname.split("/")[2] as Behaviour;
}

/** Counts the events that were never attempted, that were not listed, or that a healthy receiver missed. */
export function countMissing({ events, deliveries, received, listed }: DeliveryEvidence) {
  let [unattempted, unlisted, undelivered] = [0, 0, 0];
  for (const event of events) {
    const delivery = deliveries.get(event.id);
    const webhookId = `msg_${event.id}`;
    if (delivery === undefined || delivery.attempts.length === 0) unattempted += 1;
    if (!isDeepStrictEqual(listed.get(webhookId), JSON.parse(event.body))) unlisted += 1;
    const isHealthy = delivery !== undefined && behaviourOf(delivery.url) === "well";
    const arrived = received.get(webhookId) ?? [];
    const was2xx =
      delivery?.isDelivered === true && arrived.some(({ answered }) => answered === 200);
    if (isHealthy && !was2xx) undelivered += 1;
  }
  return { unattempted, unlisted, undelivered };
}

export function judgeDeliveries(evidence: DeliveryEvidence): Violation[] {
  const violations: Violation[] = [];
  const known = new Set<string>();
  for (const event of evidence.events) {
    known.add(`msg_${event.id}`);
    const delivery = evidence.deliveries.get(event.id);
    const arrived = evidence.received.get(`msg_${event.id}`) ?? [];
    const faults =
      delivery === undefined
        ? ["has no delivery"]
        : [
            ...faultsOfAttempts(delivery, evidence),
            ...faultsOfEnd(delivery, arrived, evidence),
            ...faultsOfRequests(event, delivery, arrived, evidence.secrets),
          ];
    for (const fault of faults)
      violations.push({ what: `event ${event.id}: ${fault}`, rows: [event, delivery, ...arrived] });
  }
  for (const [webhookId, rows] of evidence.received)
    if (!known.has(webhookId)) violations.push({ what: `${webhookId} is of no event`, rows });
  return violations;
}

/** One to four, without a gap, each on schedule after the failure before it. */
function faultsOfAttempts(
  { attempts }: MadeDelivery,
  { hasKills, speed, lateMsMax }: DeliveryEvidence,
): string[] {
  const faults: string[] = [];
  if (attempts.length < 1 || attempts.length > attemptsMax)
    faults.push(`${attempts.length} attempts`);
  for (const [index, attempt] of attempts.entries()) {
    if (attempt.number !== index + 1) faults.push(`attempt ${attempt.number} is out of order`);
    if (attempt.durationMs === null && !hasKills)
      faults.push(`attempt ${attempt.number} has no end`);
    const before = attempts[index - 1];
    if (before === undefined || before.durationMs === null) continue; // a killed worker's: the lease decides
    const lateMs = lateness(before, attempt, speed);
    if (lateMs < -roundingMs) faults.push(`attempt ${attempt.number} came ${-lateMs} ms early`);
    if (lateMs > lateMsMax && !hasKills)
      faults.push(`attempt ${attempt.number} came ${lateMs} ms late`);
  }
  return faults;
}

/** Returns the delay of an attempt's start after its due time, in milliseconds. */
export function lateness(before: MadeAttempt, attempt: MadeAttempt, speed: number): number {
  const failedMs = before.startedMs + (before.durationMs ?? 0);
  const dueMs = failedMs + (delaysMs[before.number - 1] ?? 0) / speed;
  return Math.round(attempt.startedMs - dueMs);
}

/**
 * Returns the faults of an event's deliveries: a healthy receiver gets it once, any other four
 * times, and the record has status and reason. Where nobody is quick enough to read a response, the
 * attempt is recorded as timed out, and lasted as long.
 */
function faultsOfEnd(
  delivery: MadeDelivery,
  arrived: ReceivedRequest[],
  { hasKills, speed }: DeliveryEvidence,
): string[] {
  const { attempts, isDelivered, isGivenUp } = delivery;
  const behaviour = behaviourOf(delivery.url);
  const ended = attempts.filter(({ durationMs }) => durationMs !== null);
  const slow = ended.filter((attempt) => isTimedOut(attempt, speed));
  const faults: string[] = [];
  if (isDelivered === isGivenUp) faults.push("must be delivered or given up");
  if (isDelivered !== (behaviour === "well"))
    faults.push(`to ${behaviour}: delivered ${isDelivered}`);
  if (isGivenUp && attempts.length < attemptsMax)
    faults.push(`given up after ${attempts.length} attempts`);
  // An attempt without an end may or may not have been sent: a worker died in the middle of it.
  const answered = ended.length - slow.length;
  const sentMin = behaviour === "refuse" ? 0 : behaviour === "hang" ? 1 : answered;
  const sentMax = behaviour === "refuse" ? 0 : attempts.length;
  if (!(hasKills && behaviour === "hang") && arrived.length < sentMin)
    faults.push(`${arrived.length} requests arrived of ${ended.length} recorded`);
  if (arrived.length > sentMax)
    faults.push(`${arrived.length} requests arrived, ${attempts.length} attempts are recorded`);
  if (behaviour === "well" && answered !== 1)
    faults.push(`a healthy receiver took ${ended.length} attempts with an end`);
  for (const { number, status, reason } of ended.filter((attempt) => !slow.includes(attempt)))
    if (!isAsExpected(behaviour, status, reason))
      faults.push(`attempt ${number} to ${behaviour} is recorded as ${status} ${reason}`);
  return faults;
}

export function isTimedOut({ durationMs, status, reason }: MadeAttempt, speed: number): boolean {
  const isLong = (durationMs ?? 0) >= timeoutMs / speed - roundingMs;
  return isLong && status === null && reason?.startsWith("timed out") === true;
}

function isAsExpected(behaviour: Behaviour, status: number | null, reason: string | null): boolean {
  if (behaviour === "well") return status === 200 && reason === null;
  if (behaviour === "500-always") return status === 500 && reason === "answered 500";
  if (status !== null || reason === null) return false;
  return behaviour === "refuse" && reason === "connection refused";
}

/** Requests are signed, carry the event, and arrive after the commit at the right path. */
function faultsOfRequests(
  event: EventRow,
  delivery: MadeDelivery,
  arrived: ReceivedRequest[],
  secrets: ReadonlyMap<string, string>,
): string[] {
  const faults: string[] = [];
  if (delivery.body !== event.body) faults.push("its delivery has another body");
  const [first] = delivery.attempts;
  if (first !== undefined && first.startedMs < event.createdMs)
    faults.push("attempted before its end was written");
  for (const request of arrived) {
    const fault = faultOfSignature(request, secrets.get(event.accountId) ?? "");
    if (fault !== null) faults.push(fault);
    if (request.body !== event.body) faults.push("a request carried another body");
    if (request.path !== new URL(delivery.url).pathname) faults.push(`it came to ${request.path}`);
    if (request.at < Math.floor(event.committedMs)) faults.push("it came before the commit");
  }
  return faults;
}
