import { percentile, spreadOf } from "@zoetrope/testkit/percentile.ts";
import type { Creates, Outcome } from "./creates.ts";
import type { Answers, Segment, SegmentReport } from "./messages.ts";

const tickMs = 2;
const readEveryMs = 50;

export async function runClosed(
  creates: Creates,
  accounts: number,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ acceptedPerSecond: number; answers: Answers }> {
  const endsAt = performance.now() + seconds * 1_000;
  const answers: Answers = {};
  let accepted = 0;
  const client = (number: number) =>
    new Promise<void>((resolve) => {
      let turn = number;
      const next = () => {
        if (performance.now() >= endsAt) return resolve();
        turn += clients;
        creates.send(turn % accounts, (outcome, what) => {
          count(answers, what);
          if (outcome === "accepted" && performance.now() < endsAt) accepted += 1;
          next();
        });
      };
      next();
    });
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { acceptedPerSecond: accepted / seconds, answers };
}

function count(answers: Answers, what: string): void {
  answers[what] = (answers[what] ?? 0) + 1;
}

interface Offer {
  dueMs: number;
  ms: number;
  account: number;
  outcome: Outcome;
}

interface Records {
  offers: Offer[];
  answers: Answers;
  readMs: number[];
  readsWrong: Answers;
}

/** Queries a task that exists and reports any other response. */
export type Read = (done: (wrong: string | null) => void) => void;

/**
 * Sends at fixed times whether or not there are responses, all accounts equally often, in another
 * order each round. Times count from when a request was due: one that had to wait for a free
 * connection, or for this process, has waited.
 */
export async function runOpen(
  creates: Creates,
  accounts: number,
  segments: readonly Segment[],
  { read, onSegment }: { read: Read; onSegment(number: number): void },
): Promise<SegmentReport[]> {
  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  const nextAccount = createRoundRobin(accounts);
  const reports: SegmentReport[] = [];
  const closing: Promise<Records>[] = [];
  let beginsMs = 0;
  for (const [number, segment] of segments.entries()) {
    onSegment(number);
    const records: Records = { offers: [], answers: {}, readMs: [], readsWrong: {} };
    const underWay = createCount();
    const offer = (dueMs: number) => {
      const account = nextAccount();
      underWay.add();
      creates.send(account, (outcome, what) => {
        records.offers.push({ dueMs, ms: now() - dueMs, account, outcome });
        count(records.answers, what);
        underWay.remove();
      });
    };
    const readOnce = (dueMs: number) => {
      underWay.add();
      read((wrong) => {
        if (wrong === null) records.readMs.push(now() - dueMs);
        else count(records.readsWrong, wrong);
        underWay.remove();
      });
    };
    const endsMs = beginsMs + segment.seconds * 1_000;
    await Promise.all([
      onSchedule(now, { beginsMs, endsMs, everyMs: 1_000 / segment.perSecond }, offer),
      onSchedule(now, { beginsMs, endsMs, everyMs: readEveryMs }, readOnce),
    ]);
    closing.push(underWay.empty().then(() => records)); // the next segment begins at once
    beginsMs = endsMs;
  }
  let fromMs = 0;
  for (const [number, { seconds }] of segments.entries()) {
    const records = await closing[number];
    if (records !== undefined) reports.push(reportOf(records, accounts, fromMs, seconds));
    fromMs += seconds * 1_000;
  }
  return reports;
}

function onSchedule(
  now: () => number,
  { beginsMs, endsMs, everyMs }: { beginsMs: number; endsMs: number; everyMs: number },
  act: (dueMs: number) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const tick = () => {
    const until = Math.min(now(), endsMs);
    for (; beginsMs + count * everyMs < until; count += 1) act(beginsMs + count * everyMs);
    if (until < endsMs) setTimeout(tick, tickMs);
    else resolve();
  };
  tick();
  return promise;
}

/** Each number once before any comes again, in a random order. */
function createRoundRobin(count: number): () => number {
  let round: number[] = [];
  return () => {
    if (round.length === 0)
      round = Array.from({ length: count }, (_, number) => ({ number, place: Math.random() }))
        .sort((a, b) => a.place - b.place)
        .map(({ number }) => number);
    return round.pop() ?? 0;
  };
}

function createCount() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  let isAwaited = false;
  const check = () => {
    if (isAwaited && count === 0) resolve();
  };
  return {
    add() {
      count += 1;
    },
    remove() {
      count -= 1;
      check();
    },
    empty() {
      isAwaited = true;
      check();
      return promise;
    },
  };
}

function reportOf(
  { offers, answers, readMs, readsWrong }: Records,
  accounts: number,
  fromMs: number,
  seconds: number,
): SegmentReport {
  const acceptedByAccount = Array.from({ length: accounts }, () => 0);
  const windows = Array.from({ length: seconds }, () => ({ refused: 0, ms: [] as number[] }));
  for (const { outcome, account, dueMs, ms } of offers) {
    const window = windows[Math.floor((dueMs - fromMs) / 1_000)];
    if (outcome === "accepted") {
      acceptedByAccount[account] = (acceptedByAccount[account] ?? 0) + 1;
      window?.ms.push(ms);
    } else if (window !== undefined) window.refused += 1;
  }
  const timesOf = (wanted: Outcome) =>
    offers.filter(({ outcome }) => outcome === wanted).map(({ ms }) => ms);
  return {
    offered: offers.length,
    answers,
    acceptedByAccount,
    readsWrong,
    accepted: timesOf("accepted").length,
    acceptedMs: spreadOf(timesOf("accepted")),
    refusedMs: spreadOf(timesOf("refused")),
    readMs: spreadOf(readMs),
    windows: windows.map(({ refused, ms }) => ({
      accepted: ms.length,
      refused,
      acceptedP99Ms: percentile(ms, 0.99),
    })),
  };
}
