import { expect, test } from "vitest";
import { accountNamed, taskNamed } from "../../test/harness/named-ids.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import type { DeliveryId } from "../ids.ts";
import type { TimelineAttempt, TimelineSubmit, TimelineTask } from "./timeline-queries.ts";
import { attemptsOf, timelineOf } from "./timeline-view.ts";

const task: TimelineTask = {
  id: taskNamed("task"),
  accountId: accountNamed("account"),
  kind: "generation",
  status: "PENDING",
  errorCode: null,
  output: null,
  createdAt: 1_000,
  completedAt: null,
  moments: null,
  openMoments: null,
  submits: [],
};
const submit: TimelineSubmit = {
  startedAt: 2_000,
  endedAt: 2_500,
  acceptedAt: 2_500,
  outcome: "accepted",
  vendorAccount: "ark",
  vendorJobId: "job",
  detail: "text of the vendor",
};
const stored = (storedAt: number): StoredMedia[] => [
  {
    key: "k",
    contentType: "video/mp4",
    sizeBytes: 1,
    sha256: "",
    width: 1,
    height: 1,
    durationMs: 1,
    storedAt,
  },
];

const shortly = (given: TimelineTask) =>
  timelineOf(given, false).map(({ event, state, from, to }) => `${event} ${state} ${from} ${to}`);

test("a task that nobody has taken waits for its submit", () => {
  expect(shortly(task)).toEqual(["accepted working 1000 1000", "submit waiting 1000 null"]);
});

test("a completed task was worked on from its submit to its end, and waited before", () => {
  const done: TimelineTask = {
    ...task,
    status: "COMPLETED",
    completedAt: 9_200,
    output: stored(9_000),
    moments: { vendorEndedAt: 8_000 },
    submits: [submit],
  };
  expect(shortly(done)).toEqual([
    "accepted working 1000 1000",
    "submit waiting 1000 2000",
    "submit working 2000 2500",
    "vendorAccepted working 2500 2500",
    "vendorFinished working 2500 8000",
    "stored working 8000 9000",
    "finished working 9000 9200",
  ]);
});

test("between two submits a task waits, and each has its outcome", () => {
  const throttled = { ...submit, endedAt: 2_100, acceptedAt: null, outcome: "throttled" as const };
  const second = { ...submit, startedAt: 4_000, endedAt: null, acceptedAt: null, outcome: null };
  const entries = timelineOf({ ...task, submits: [throttled, second] }, false);
  expect(entries.slice(1)).toMatchObject([
    { event: "submit", state: "waiting", from: 1_000, to: 2_000 },
    { event: "submit", state: "working", from: 2_000, to: 2_100, outcome: "throttled" },
    { event: "submit", state: "waiting", from: 2_100, to: 4_000 },
    { event: "submit", state: "working", from: 4_000, to: null, outcome: null },
  ]);
});

test("a submit whose answer was lost waits until the vendor's job is found", () => {
  const lost = { ...submit, acceptedAt: null, outcome: "unknown" as const };
  expect(shortly({ ...task, submits: [lost] }).at(-1)).toBe("vendorAccepted waiting 2500 null");
  const found = { ...lost, acceptedAt: 5_000 };
  expect(shortly({ ...task, submits: [found] }).slice(-2)).toEqual([
    "vendorAccepted waiting 2500 5000",
    "vendorFinished working 5000 null",
  ]);
});

test("an image that came with the answer is stored after its submit", () => {
  const direct = { ...submit, acceptedAt: null, outcome: "delivered" as const };
  const done: TimelineTask = {
    ...task,
    status: "COMPLETED",
    completedAt: 3_000,
    output: stored(2_800),
    submits: [direct],
  };
  expect(shortly(done).slice(2)).toEqual([
    "submit working 2000 2500",
    "stored working 2500 2800",
    "finished working 2800 3000",
  ]);
});

test("a task that ended while it waited, waited until its end", () => {
  const refused = { ...submit, endedAt: 2_100, acceptedAt: null, outcome: "refused" as const };
  const failed: TimelineTask = {
    ...task,
    status: "FAILED",
    errorCode: "vendor_unavailable",
    completedAt: 6_000,
    submits: [refused],
  };
  expect(timelineOf(failed, false).at(-1)).toMatchObject({
    event: "finished",
    state: "waiting",
    from: 2_100,
    to: 6_000,
    outcome: "FAILED",
    errorCode: "vendor_unavailable",
  });
});

test("an upscale waits for its first segment and has the times of each", () => {
  const upscale = {
    startedAt: 3_000,
    segmentCount: 2,
    segments: [
      [3_500, 5_000],
      [4_000, 6_000],
    ] as [number, number][],
  };
  const done: TimelineTask = {
    ...task,
    kind: "upscale",
    status: "COMPLETED",
    completedAt: 7_100,
    output: stored(7_000),
    moments: { upscale },
  };
  expect(shortly(done)).toEqual([
    "accepted working 1000 1000",
    "stored working 1000 3000",
    "upscaled waiting 3000 3500",
    "upscaled working 3500 6000",
    "stored working 6000 7000",
    "finished working 7000 7100",
  ]);
  const [, , , worked] = timelineOf(done, false);
  expect(worked).toMatchObject({ segmentCount: 2, segments: [{ number: 0 }, { number: 1 }] });
  const open: TimelineTask = {
    ...task,
    kind: "upscale",
    status: "PROCESSING",
    openMoments: { upscale: { ...upscale, segments: [[3_500, null]] } },
  };
  expect(shortly(open).at(-1)).toBe("upscaled working 3500 null");
});

test("vendors' names and texts are an operator's only", () => {
  const open = { ...task, submits: [submit] };
  expect(JSON.stringify(timelineOf(open, false))).not.toMatch(/ark|job|text of the vendor/);
  expect(timelineOf(open, true)).toContainEqual(
    expect.objectContaining({ vendorAccount: "ark", vendorJobId: "job" }),
  );
});

test("clocks that differ never make time run backwards", () => {
  const done: TimelineTask = {
    ...task,
    status: "COMPLETED",
    completedAt: 7_900,
    output: stored(7_000),
    moments: { vendorEndedAt: 8_000 },
    submits: [submit],
  };
  const times = timelineOf(done, false).flatMap(({ from, to }) => [from, to ?? 0]);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test("an attempt waits since the one before it of the same delivery", () => {
  const first: TimelineAttempt = {
    deliveryId: "one" as DeliveryId,
    number: 1,
    startedAt: 110,
    durationMs: 20,
    url: "https://example.com/hook",
    status: 500,
    reason: "answered 500",
    queuedAt: 100,
    isOpen: true,
  };
  const second = { ...first, number: 2, startedAt: 1_130, status: 200, reason: null };
  const short = (attempts: TimelineAttempt[]) =>
    attemptsOf(attempts).map(({ state, from, to, outcome }) => [state, from, to, outcome]);
  expect(attemptsOf([first])).toContainEqual(expect.objectContaining({ url: first.url }));
  expect(short([first])).toEqual([
    ["waiting", 100, 110, undefined],
    ["working", 110, 130, "failed"],
    ["waiting", 130, null, undefined],
  ]);
  const over = [first, second].map((attempt) => ({ ...attempt, isOpen: false }));
  expect(short(over)).toEqual([
    ["waiting", 100, 110, undefined],
    ["working", 110, 130, "failed"],
    ["waiting", 130, 1_130, undefined],
    ["working", 1_130, 1_150, "delivered"],
  ]);
});
