import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import {
  type Behaviour,
  countMissing,
  type DeliveryEvidence,
  judgeDeliveries,
  type MadeAttempt,
  type MadeDelivery,
} from "./deliveries.ts";

/** A history without a fault, and each fault planted once: the checker must report it. */

const secret = "whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0";
const endedMs = 1_767_225_600_000;
const speed = 10;
const behaviours: Behaviour[] = ["well", "500-always", "hang", "refuse"];

interface History extends DeliveryEvidence {
  deliveries: Map<string, MadeDelivery>;
  received: Map<string, ReceivedRequest[]>;
  listed: Map<string, unknown>;
}

function requestOf(id: string, behaviour: Behaviour, at: number): ReceivedRequest {
  const body = bodyOf(id);
  const webhookTimestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(6), "base64");
  const signed = createHmac("sha256", key).update(`msg_${id}.${webhookTimestamp}.${body}`);
  return {
    at,
    path: `/hooks/${behaviour}/${id}`,
    webhookId: `msg_${id}`,
    webhookTimestamp,
    body,
    webhookSignature: `v1,${signed.digest("base64")}`,
    answered: behaviour === "well" ? 200 : behaviour === "hang" ? null : 500,
  };
}

const bodyOf = (id: string) => JSON.stringify({ taskId: `task of ${id}` });

function attemptsOf(behaviour: Behaviour): MadeAttempt[] {
  if (behaviour === "well")
    return [{ number: 1, startedMs: endedMs + 50, durationMs: 5, status: 200, reason: null }];
  const durationMs = behaviour === "hang" ? 1_500 : 5;
  const status = behaviour === "500-always" ? 500 : null;
  const reasons = { "500-always": "answered 500", hang: "timed out", refuse: "connection refused" };
  let startedMs = endedMs + 50;
  return [100, 500, 3_000, 0].map((delayMs, index) => {
    const attempt = {
      number: index + 1,
      startedMs,
      durationMs,
      status,
      reason: reasons[behaviour],
    };
    startedMs += durationMs + delayMs + 40;
    return attempt;
  });
}

/** One event for each kind of receiver; the id is the kind. */
function runScenario(): History {
  const deliveries = new Map<string, MadeDelivery>();
  const received = new Map<string, ReceivedRequest[]>();
  for (const id of behaviours) {
    const attempts = attemptsOf(id);
    deliveries.set(id, {
      url: `http://127.0.0.1:9/hooks/${id}/${id}`,
      body: bodyOf(id),
      attempts,
      isDelivered: id === "well",
      isGivenUp: id !== "well",
    });
    if (id !== "refuse")
      received.set(
        `msg_${id}`,
        attempts.map(({ startedMs }) => requestOf(id, id, startedMs + 2)),
      );
  }
  return {
    events: behaviours.map((id) => ({
      id,
      accountId: "a",
      taskId: `task of ${id}`,
      body: bodyOf(id),
      createdMs: endedMs,
      committedMs: endedMs + 1,
    })),
    deliveries,
    received,
    listed: new Map(behaviours.map((id) => [`msg_${id}`, JSON.parse(bodyOf(id))])),
    secrets: new Map([["a", secret]]),
    hasKills: false,
    speed,
    lateMsMax: 5_000,
  };
}

function deliveryOf(history: History, id: Behaviour): MadeDelivery {
  const delivery = history.deliveries.get(id);
  if (delivery === undefined) throw new Error("it is in the history");
  return delivery;
}

function change<Item>(items: Item[] | undefined, index: number, by: Partial<Item>): void {
  const item = items?.[index];
  if (items === undefined || item === undefined) throw new Error("it is in the history");
  items[index] = { ...item, ...by };
}

test("a history without a fault has no violation and nothing missing", () => {
  expect(judgeDeliveries(runScenario())).toEqual([]);
  expect(countMissing(runScenario())).toEqual({ unattempted: 0, unlisted: 0, undelivered: 0 });
});

const faults: [string, (history: History) => unknown][] = [
  ["has no delivery", (s) => s.deliveries.delete("well")],
  ["0 attempts", (s) => deliveryOf(s, "hang").attempts.splice(0)],
  [
    "5 attempts",
    (s) =>
      deliveryOf(s, "refuse").attempts.push({ ...attemptsOf("well")[0], number: 5 } as MadeAttempt),
  ],
  ["given up after 3 attempts", (s) => deliveryOf(s, "500-always").attempts.pop()],
  ["attempt 3 is out of order", (s) => change(deliveryOf(s, "hang").attempts, 1, { number: 3 })],
  ["attempt 1 has no end", (s) => change(deliveryOf(s, "hang").attempts, 0, { durationMs: null })],
  [
    "attempt 2 came 10 ms early",
    (s) => change(deliveryOf(s, "refuse").attempts, 1, { startedMs: endedMs + 50 + 5 + 90 }),
  ],
  [
    "attempt 4 came",
    (s) => change(deliveryOf(s, "refuse").attempts, 3, { startedMs: endedMs + 60_000 }),
  ],
  [
    "must be delivered or given up",
    (s) => Object.assign(deliveryOf(s, "hang"), { isGivenUp: false }),
  ],
  [
    "to 500-always: delivered true",
    (s) => Object.assign(deliveryOf(s, "500-always"), { isDelivered: true, isGivenUp: false }),
  ],
  [
    "is recorded as 200 null",
    (s) => change(deliveryOf(s, "500-always").attempts, 3, { status: 200, reason: null }),
  ],
  [
    "is recorded as null timed out",
    (s) => change(deliveryOf(s, "500-always").attempts, 3, { status: null, reason: "timed out" }),
  ],
  [
    "attempt 2 to hang is recorded",
    (s) => change(deliveryOf(s, "hang").attempts, 1, { durationMs: 1_000 }),
  ],
  [
    "2 requests arrived, 1 attempts",
    (s) => s.received.get("msg_well")?.push(requestOf("well", "well", endedMs + 60)),
  ],
  ["3 requests arrived of 4", (s) => s.received.get("msg_500-always")?.pop()],
  [
    "the signature does not fit",
    (s) => change(s.received.get("msg_well"), 0, { webhookSignature: "v1,AAAA" }),
  ],
  ["carried another body", (s) => change(s.received.get("msg_well"), 0, { body: "{}" })],
  ["its delivery has another body", (s) => Object.assign(deliveryOf(s, "hang"), { body: "{}" })],
  ["it came to /elsewhere", (s) => change(s.received.get("msg_hang"), 1, { path: "/elsewhere" })],
  ["before the commit", (s) => change(s.events, 0, { committedMs: endedMs + 500 })],
  ["before its end was written", (s) => change(s.events, 3, { createdMs: endedMs + 51 })],
  [
    "msg_other is of no event",
    (s) => s.received.set("msg_other", [requestOf("well", "well", endedMs)]),
  ],
];
test.each(faults)("the checker reports: %s", (what, spoil) => {
  const history = runScenario();
  spoil(history);
  expect(judgeDeliveries(history).map((violation) => violation.what)).toContainEqual(
    expect.stringContaining(what),
  );
});

test("missing is what was never attempted, what no loop gave, and what a healthy receiver did not get", () => {
  const unattempted = runScenario();
  deliveryOf(unattempted, "refuse").attempts.splice(0);
  expect(countMissing(unattempted)).toEqual({ unattempted: 1, unlisted: 0, undelivered: 0 });
  const unlisted = runScenario();
  unlisted.listed.delete("msg_refuse");
  unlisted.listed.set("msg_hang", {});
  expect(countMissing(unlisted)).toEqual({ unattempted: 0, unlisted: 2, undelivered: 0 });
  const undelivered = runScenario();
  undelivered.received.delete("msg_well");
  expect(countMissing(undelivered)).toEqual({ unattempted: 0, unlisted: 0, undelivered: 1 });
});

test("an answer that nobody was quick enough to read is recorded as timed out after the whole time", () => {
  const history = runScenario();
  const [sent] = deliveryOf(history, "well").attempts;
  if (sent === undefined) throw new Error("it is in the history");
  const late = { durationMs: 1_500, status: null, reason: "timed out" };
  deliveryOf(history, "well").attempts = [
    { ...sent, ...late },
    { ...sent, number: 2, startedMs: sent.startedMs + 1_700 },
  ];
  history.received.get("msg_well")?.push(requestOf("well", "well", sent.startedMs + 1_702));
  change(deliveryOf(history, "500-always").attempts, 3, late);
  expect(judgeDeliveries(history)).toEqual([]);
});

test("after kills an attempt may have no end, and the one after it may be a second request", () => {
  const history = { ...runScenario(), hasKills: true };
  const [sent] = deliveryOf(history, "well").attempts;
  if (sent === undefined) throw new Error("it is in the history");
  deliveryOf(history, "well").attempts = [
    { ...sent, durationMs: null, status: null },
    { ...sent, number: 2, startedMs: sent.startedMs + 6_500 },
  ];
  history.received.get("msg_well")?.push(requestOf("well", "well", sent.startedMs + 6_502));
  expect(judgeDeliveries(history)).toEqual([]);
  history.received.get("msg_well")?.push(requestOf("well", "well", sent.startedMs + 6_503));
  expect(judgeDeliveries(history)).not.toEqual([]);
});
