import { beforeAll, describe, expect, test } from "vitest";
import { admission } from "./actions.ts";
import { type Search, search } from "./search.ts";
import { type Bug, isOver, type Model, type Task } from "./state.ts";

/** Credits for three tasks and a limit of two: the limit bites first. */
const ample: Model = { tasks: 4, price: 1, credits: 3, openTasksMax: 2, bug: null };
/** Credits for two tasks, and one left over that is of no use: a charge, and credits bite first. */
const scarce: Model = { tasks: 4, price: 2, credits: 5, openTasksMax: 2, bug: null };

/** Every action of the protocol without a planted bug. */
const actionNames = [
  "accept: hold",
  "callback: bind",
  "finish: completed",
  "finish: failed",
  "poll: bind the one free job",
  "poll: nothing explains the submit",
  "poll: the job failed",
  "poll: the job is gone or its video unusable",
  "poll: the job succeeded",
  "submit: bind",
  "submit: claim",
  "submit: crash before binding, or the answer is lost",
  "submit: crash before recording the refusal",
  "submit: crash before returning the claim",
  "submit: crash before the call, or no answer",
  "submit: record the refusal",
  "submit: return the claim",
  "submit: the vendor refused",
  "sweep: the deadline is over",
  "vendor: accept",
  "vendor: fail",
  "vendor: refuse",
  "vendor: succeed",
  "vendor: throttle or be unreachable",
];

describe.each([
  ["ample credits", ample],
  ["scarce credits", scarce],
])("four tasks of an account with %s", (_name, model) => {
  let found: Search;
  beforeAll(() => {
    found = search(model);
  });

  test("no order of steps, crashes and callbacks breaks a rule or leaves a task without an end", () => {
    expect(found.violation).toBeNull();
    expect(found.states.length).toBeGreaterThan(300_000); // no rule holds because nothing happens
    expect([...found.actions].sort()).toEqual(actionNames);
  });

  test("a task is refused for the limit in some states and for credits in others", () => {
    const withRoom = found.states.filter(({ tasks }) => tasks.some((t) => t.status === "absent"));
    const outcomes = new Set(withRoom.map((state) => admission(model, state)));
    expect([...outcomes].sort()).toEqual(["accepted", "credits", "limit"]);
  });

  test.each<[string, (task: Task) => boolean]>([
    ["a success comes after the failure", (task) => task.status === "failed" && task.toComplete],
    ["a failure comes after the success", (task) => task.status === "completed" && task.toFail],
    ["the vendor is called for a task that is over", (t) => isOver(t) && t.call === "calling"],
    ["a job has no task that knows it", (t) => t.job !== "none" && t.submit === "claimed"],
    ["a claim leads nowhere", (t) => t.submit === "claimed" && t.call === "idle" && t.jobs === 0],
  ])("it is among the cases that %s", (_case, isCase) => {
    expect(found.states.some(({ tasks }) => tasks.some(isCase))).toBe(true);
  });
});

/** Bug, a rule that it breaks, and after how many steps at the earliest. */
const planted: [bug: Bug, rule: string, steps: number, models: Model[]][] = [
  ["late capture", "a hold ends once", 9, [ample, scarce]],
  ["late release", "nothing leaves a terminal state", 9, [ample, scarce]],
  ["double release", "a hold ends once", 6, [ample, scarce]],
  ["overdraft", "credits cover holds", 20, [ample]],
  ["overdraft", "credits cover holds", 12, [scarce]],
  ["no limit", "open tasks stay within the limit", 6, [ample]], // scarce: credits stop it
  ["unknown repeated", "at most one vendor job per task", 6, [ample, scarce]],
  ["no claim", "at most one vendor job per task", 5, [ample, scarce]],
  // Only known when all states are: fewer tasks are enough.
  ["no sweep", "every task ends although the vendor is silent", 4, [{ ...ample, tasks: 2 }]],
  ["nobody gives up", "in a final state nothing is open or held", 3, [ample, scarce]],
  ["event lost", "one event per task that is over", 4, [ample, scarce]],
  ["guess between two", "no task has another task's job", 6, [ample, scarce]],
  ["guess for a refused task", "no task has another task's job", 8, [ample, scarce]],
];

test.each(planted)("the search sees '%s': not '%s' after %d steps", (bug, rule, steps, models) => {
  for (const model of models) {
    const { violation } = search({ ...model, bug });
    expect(violation?.rules).toContain(rule);
    expect(violation?.trace).toHaveLength(steps);
  }
});

test("a trace shows the shortest path to what is broken", () => {
  expect(search({ ...ample, bug: "guess for a refused task" }).violation).toEqual({
    rules: ["no task has another task's job"],
    trace: [
      "task 1 accept: hold",
      "task 2 accept: hold",
      "task 2 submit: claim",
      "task 1 submit: claim",
      "task 1 vendor: accept",
      "task 2 vendor: refuse",
      "task 2 submit: record the refusal",
      "task 2 poll: bind the one free job",
    ],
  });
});
