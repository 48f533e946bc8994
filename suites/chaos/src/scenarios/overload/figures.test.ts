import { expect, test } from "vitest";
import { type Figures, jainOf, judgeFigures, recoverySecondsOf } from "./figures.ts";
import { parseAnswer } from "./generator/connections.ts";
import type { SegmentReport, Window } from "./generator/messages.ts";

const spread = (p99: number, count = 100) => ({ count, p50: p99 / 2, p99, max: p99 });
const window: Window = { accepted: 50, refused: 0, acceptedP99Ms: 20 };

function report(changes: Partial<SegmentReport> = {}): SegmentReport {
  return {
    offered: 1_000,
    accepted: 1_000,
    answers: { "200": 1_000 },
    readsWrong: {},
    acceptedMs: spread(20),
    refusedMs: spread(Number.NaN, 0),
    readMs: spread(5),
    acceptedByAccount: [500, 500],
    windows: [window, window],
    ...changes,
  };
}

const overload = report({
  offered: 30_000,
  accepted: 9_500,
  answers: { "200": 9_500, "503 service_unavailable": 20_500 },
  acceptedMs: spread(200),
  refusedMs: spread(15),
  acceptedByAccount: [4_800, 4_700],
});

/** A run that passes. */
const passing: Figures = {
  capacity: { before: 50, after: 50 },
  overloadSeconds: 200,
  lost: 0,
  violations: 0,
  before: report(),
  overload,
  after: report(),
  residentMb: Array.from({ length: 200 }, () => 200),
};

test("a run that refuses early, keeps its goodput and recovers passes", () => {
  expect(judgeFigures(passing)).toEqual({
    faults: [],
    lastLine: "capacity_per_s=50 goodput_pct=95 refused_p99_ms=15 recovery_s=0 jain=1.000 lost=0",
  });
});

const slow = { ...window, acceptedP99Ms: 41 };
test.each<[string, Partial<Figures>]>([
  ["goodput below", { overload: { ...overload, accepted: 8_900 } }],
  ["refusals came later", { overload: { ...overload, refusedMs: spread(201) } }],
  ["no overload", { overload: { ...overload, refusedMs: spread(15, 0) } }],
  ["not treated alike", { overload: { ...overload, acceptedByAccount: [9_500, 0] } }],
  ["500 internal_error", { before: report({ answers: { "500 internal_error": 1 } }) }],
  ["503 account_busy", { after: report({ readsWrong: { "503 account_busy": 1 } }) }],
  ["stayed slow", { after: report({ windows: Array.from({ length: 30 }, () => slow) }) }],
  ["memory", { residentMb: Array.from({ length: 200 }, (_, second) => 200 + second) }],
  ["were lost", { lost: 1 }],
  ["violations", { violations: 1 }],
])("a run fails for: %s", (fault, changes) => {
  expect(judgeFigures({ ...passing, ...changes }).faults).toEqual([expect.stringContaining(fault)]);
});

test("recovery is the first second that is as fast as before and refuses nothing", () => {
  const refusing = { ...window, refused: 1 };
  const silent = { ...window, accepted: 0, acceptedP99Ms: Number.NaN };
  expect(recoverySecondsOf([slow, refusing, silent, window], 20)).toBe(3);
  expect(recoverySecondsOf([slow], 20)).toBe(Number.POSITIVE_INFINITY);
});

test("Jain's index is 1 for equal shares and 1/n when one has everything", () => {
  expect(jainOf([7, 7, 7, 7])).toBe(1);
  expect(jainOf([28, 0, 0, 0])).toBe(0.25);
});

test("an answer is complete with the last byte of its body", () => {
  const text = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\nretry-after: 1\r\n\r\n{}";
  expect(parseAnswer(text.slice(0, 60))).toBeUndefined();
  expect(parseAnswer(text.slice(0, -1))).toBeUndefined();
  expect(parseAnswer(text)).toMatchObject({ status: 503, body: "{}" });
});
