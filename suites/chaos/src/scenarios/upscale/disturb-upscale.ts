import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { print } from "@zoetrope/testkit/print.ts";
import type { Client } from "pg";
import type { Caller } from "../../kit/call-api.ts";
import { toolsBelow } from "../../kit/watch-tools.ts";
import { databaseNowMs, readNotes, type SegmentNote, takenAgain } from "./audit-segments.ts";
import {
  createUpscale,
  hashResult,
  readHeld,
  readStatement,
  type Upscale,
  until,
  untilCompleted,
} from "./follow-upscale.ts";

export interface UpscaleRun {
  caller: Caller;
  db: Client;
  clipUrl: string;
  seconds: number;
  first: RunningProcess;
  second: RunningProcess;
}

export interface Ending {
  taskId: string;
  sha256: string;
  notes: SegmentNote[];
  /** The number of times that the account was charged for it. */
  charges: number;
  startMs: number;
  workMs: number;
  wrong: string[];
}

/** The kernel ends a killed worker's children. */
const orphanMsMax = 3_000;
/** A worker renews the lease of its segment every two seconds and learns then that the task is over. */
const noticeMsMax = 10_000;
const returnMsMax = 3_000;

/** One upscale, disturbed in the middle, followed to its end and checked. */
export async function upscaleClip(
  run: UpscaleRun,
  name: string,
  disturb: (run: UpscaleRun, taskId: string, wrong: string[]) => Promise<void>,
): Promise<Ending> {
  const { caller, db, clipUrl, seconds } = run;
  const wrong: string[] = [];
  const startedAt = performance.now();
  const taskId = await createUpscale(caller, clipUrl, "1080p");
  await until(caller, taskId, "the source is taken", ({ status }) => status !== "validating");
  const startMs = performance.now() - startedAt;
  await disturb(run, taskId, wrong);
  const sha256 = await hashResult(await untilCompleted(caller, taskId));
  const workMs = performance.now() - startedAt - startMs;
  const price = 3 * seconds;
  const [statement, wanted] = [
    await readStatement(caller, taskId),
    `hold 15, raise ${price - 15}, capture ${price}`,
  ];
  if (statement !== wanted) wrong.push(`the statement says ${statement}, not ${wanted}`);
  if ((await readHeld(caller)) !== 0) wrong.push("credits are held for nothing");
  const notes = await readNotes(db, taskId);
  const count = (what: string) => notes.filter((note) => note.what === what).length;
  print(
    `${name}: ${Math.round(startMs)} ms to the start, ${Math.round(workMs)} ms of work; segments done ${count("done")}, taken ${count("taken")}, given back ${count("returned")}`,
  );
  for (const number of takenAgain(notes)) wrong.push(`segment ${number} was done and taken again`);
  return {
    taskId,
    sha256,
    notes,
    startMs,
    workMs,
    charges: statement.split("capture").length - 1,
    wrong: wrong.map((one) => `${name}: ${one}`),
  };
}

const halfDone = ({ progress }: Upscale) => progress >= 50;

/** SIGKILL to a worker that has a segment in hand, in the middle of the video. */
export async function killAtHalf(
  { caller, first }: UpscaleRun,
  taskId: string,
  wrong: string[],
): Promise<void> {
  await until(caller, taskId, "half of it is done", halfDone);
  const children = await holdingTools(first);
  await first.kill();
  const ms = await untilGone(children, orphanMsMax);
  if (ms === null) wrong.push("ffmpeg outlived its worker");
  else print(`  the ${children.length} children of the killed worker were gone after ${ms} ms`);
  await first.restart();
}

/** SIGTERM to a worker that has a segment in hand: it is given back at once, and not as tried. */
export async function drainAtHalf(
  { caller, db, second }: UpscaleRun,
  taskId: string,
  wrong: string[],
): Promise<void> {
  await until(caller, taskId, "half of it is done", halfDone);
  const children = await holdingTools(second);
  const startedAtMs = await databaseNowMs(db);
  await second.stop();
  const { code, signal } = await second.exited;
  if (code !== 0) wrong.push(`the drained worker ended with ${signal ?? code}`);
  if ((await untilGone(children, 0)) === null) wrong.push("ffmpeg outlived its worker");
  const notes = await readNotes(db, taskId);
  const [given] = notes.filter(({ what, atMs }) => what === "returned" && atMs > startedAtMs);
  if (given === undefined) return void wrong.push("the drained worker gave nothing back");
  const ms = Math.round(given.atMs - startedAtMs);
  print(
    `  segment ${given.number} was given back after ${ms} ms, with ${given.tries} tries counted`,
  );
  if (ms > returnMsMax) wrong.push(`it was given back after ${ms} ms`);
  if (given.tries !== 0 || !given.isFree)
    wrong.push(`it was given back as ${JSON.stringify(given)}`);
}

/** A task that reaches its deadline while segments of it are worked on. */
export async function expire(
  { db, first, second }: UpscaleRun,
  hurried: Caller,
  clipUrl: string,
): Promise<string[]> {
  const wrong: string[] = [];
  const taskId = await createUpscale(hurried, clipUrl, "4k");
  const atWork = await until(
    hurried,
    taskId,
    "it is at work",
    ({ status, progress }) => status === "failed" || progress > 0,
  );
  if (atWork.status === "failed") return [`deadline: failed at once: ${atWork.error?.code}`];
  const end = await until(hurried, taskId, "it is over", ({ status }) => status !== "processing");
  const children = [...(await toolsBelow(first.pid)), ...(await toolsBelow(second.pid))];
  if (children.length === 0) wrong.push("nobody was at work on it when it ended");
  const ms = await untilGone(children, noticeMsMax);
  if (end.error?.code !== "task_expired") wrong.push(`it ended as ${JSON.stringify(end)}`);
  if (ms === null) wrong.push(`its children lived on for ${noticeMsMax} ms`);
  else print(`deadline: the ${children.length} children were gone ${ms} ms after the end was seen`);
  const statement = await readStatement(hurried, taskId);
  if (!/^hold 35, raise (\d+), release \d+$/.test(statement))
    wrong.push(`the statement says ${statement}`);
  if ((await readHeld(hurried)) !== 0) wrong.push("credits are held for nothing");
  const isForgotten = async () =>
    (await db.query("select from upscale_segments where task_id = $1", [taskId])).rowCount === 0;
  await waitUntil("its segments are forgotten", isForgotten, { timeoutMs: noticeMsMax });
  return wrong.map((one) => `deadline: ${one}`);
}

/** The tools below a worker, once there are some: between two segments there are none for a moment. */
async function holdingTools(worker: RunningProcess): Promise<number[]> {
  let pids: number[] = [];
  const isAtWork = async () => {
    pids = await toolsBelow(worker.pid);
    return pids.length > 0;
  };
  await waitUntil(`${worker.name} has a segment in hand`, isAtWork, {
    timeoutMs: 300_000,
    intervalMs: 10,
  });
  return pids;
}

/** Returns the time until none of these processes was there, or null if that was too long. */
async function untilGone(pids: readonly number[], msMax: number): Promise<number | null> {
  const startedAt = performance.now();
  for (;;) {
    const ms = Math.round(performance.now() - startedAt);
    if (!pids.some(isAlive)) return ms;
    if (ms > msMax) return null;
    await new Promise(setImmediate);
  }
}
