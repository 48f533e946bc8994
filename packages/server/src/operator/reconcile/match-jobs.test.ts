import { expect, test } from "vitest";
import { accountNamed, taskNamed } from "../../../test/harness/named-ids.ts";
import type { ModelRequest } from "../../models/request.ts";
import { type FreeJob, matchJobs, type Unexplained } from "./match-jobs.ts";

const second = 1_000;
const point = new Date("2026-11-01T12:00:00Z");
const ago = (seconds: number) => new Date(point.getTime() - seconds * second);
const ageMs = 2 * 60 * 60 * second;

const promptOf = (request: ModelRequest) => request.prompt;

function task(name: string, more: Partial<Unexplained> = {}): Unexplained {
  const createdAt = more.createdAt ?? ago(60);
  return {
    taskId: taskNamed(name),
    accountId: accountNamed("ada"),
    endUser: "ada",
    request: { prompt: name } as ModelRequest,
    createdAt,
    deadlineAt: new Date(createdAt.getTime() + ageMs),
    submitStartedAt: null,
    isClaimed: false,
    vendorAccounts: ["ark"],
    ...more,
  };
}

/** A job as Ark shows it, submitted so long after its task was created. */
function arkJob(name: string, ofTask: { createdAt: Date }, more: Partial<FreeJob> = {}): FreeJob {
  return {
    jobId: name,
    createdAt: new Date(point.getTime() + 5 * second),
    isOver: false,
    endUser: "ada",
    expiresAt: new Date(ofTask.createdAt.getTime() + ageMs + second),
    isFor: () => "unknown",
    vendorAccounts: ["ark"],
    ...more,
  };
}

/** A job as DashScope shows it: its prompt once it is over. */
function promptJob(name: string, prompt: string | null): FreeJob {
  return {
    ...arkJob(name, task("any")),
    endUser: null,
    expiresAt: null,
    isOver: prompt !== null,
    vendorAccounts: ["dashscope"],
    isFor: (request) => (prompt === null ? "unknown" : promptOf(request) === prompt),
  };
}

const namesOf = (matches: ReturnType<typeof matchJobs>) => ({
  matched: matches.matched.map((one) => [one.task.request.prompt, one.job.jobId]),
  doubtful: matches.doubtful.map((one) => one.task.request.prompt),
  undecided: matches.undecided.map((one) => one.task.request.prompt),
  orphans: matches.orphans.map((job) => job.jobId),
});
const nothing = { matched: [], doubtful: [], undecided: [], orphans: [] };

test("the job with the deadline of a task is its own, among others of the same account", () => {
  const [one, two] = [task("one", { createdAt: ago(90) }), task("two", { createdAt: ago(30) })];
  const jobs = [arkJob("of two", two), arkJob("of one", one)];
  expect(namesOf(matchJobs([one, two], jobs, point))).toEqual({
    ...nothing,
    matched: [
      ["one", "of one"],
      ["two", "of two"],
    ],
  });
});

test("a task without any job that can be its own was not submitted", () => {
  const jobs = [
    arkJob("of another account", task("x"), { endUser: "bob" }),
    arkJob("of another deadline", { createdAt: new Date(point.getTime() + 20 * 60 * second) }),
    arkJob("of another vendor", task("x"), { vendorAccounts: ["other"] }),
    arkJob("of another model", task("x"), { isFor: () => false }),
  ];
  const orphans = jobs.map((job) => job.jobId);
  expect(namesOf(matchJobs([task("one")], jobs, point))).toEqual({ ...nothing, orphans });
});

test("a job whose task may be younger than the point is nobody's for certain: that task may be lost", () => {
  const recent = task("recent", { createdAt: ago(2) });
  const job = arkJob("whose", { createdAt: new Date(point.getTime() + second) });
  const found = namesOf(matchJobs([recent], [job], point));
  expect(found).toEqual({ ...nothing, doubtful: ["recent"] });
});

test("between two tasks of one moment, or two jobs, nothing is guessed", () => {
  const [one, two] = [task("one"), task("two", { createdAt: ago(58) })];
  expect(namesOf(matchJobs([one, two], [arkJob("whose", one)], point))).toEqual({
    ...nothing,
    doubtful: ["one", "two"],
  });
  const jobs = [arkJob("first", one), arkJob("second", one)];
  expect(namesOf(matchJobs([one], jobs, point))).toEqual({ ...nothing, doubtful: ["one"] });
});

test("a vendor whose clock is minutes off leaves doubt, and never a second submit", () => {
  const one = task("one");
  const expiresAt = new Date(one.deadlineAt.getTime() + 120 * second);
  const found = matchJobs([one], [arkJob("late", one, { expiresAt })], point);
  expect(namesOf(found)).toEqual({ ...nothing, doubtful: ["one"] });
});

test("a submit that was under way at the point takes a job of that moment only", () => {
  const one = task("one", { submitStartedAt: ago(1) });
  const near = arkJob("near", one, { createdAt: point });
  const far = arkJob("far", one, { createdAt: new Date(point.getTime() + 60 * second) });
  expect(namesOf(matchJobs([one], [near, far], point))).toEqual({
    ...nothing,
    matched: [["one", "near"]],
    orphans: ["far"],
  });
});

test("a job is found by its prompt; while one at work has not shown its own, nothing is decided", () => {
  const tasks = ["a fox", "a hare"].map((name) => task(name, { vendorAccounts: ["dashscope"] }));
  const jobs = [promptJob("over", "a fox"), promptJob("another", "a stoat")];
  expect(namesOf(matchJobs(tasks, jobs, point))).toEqual({
    ...nothing,
    matched: [["a fox", "over"]],
    orphans: ["another"],
  });
  const atWork = [...jobs, promptJob("at work", null)];
  expect(namesOf(matchJobs(tasks, atWork, point))).toEqual({
    ...nothing,
    matched: [["a fox", "over"]],
    undecided: ["a hare"],
    orphans: ["another"],
  });
});
