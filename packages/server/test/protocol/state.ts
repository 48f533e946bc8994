/** The constants of a model. `bug` plants one mistake; null is the protocol as it should be. */
export interface Model {
  tasks: number;
  price: number;
  credits: number;
  openTasksMax: number;
  bug: Bug | null;
}

export type Bug =
  | "late capture" // completing does not ask whether the task is over
  | "late release" // failing does not ask whether the task is over
  | "double release" // failing asks first and writes later
  | "overdraft" // credits are checked first and held later
  | "no limit" // open tasks are counted first and added to later
  | "unknown repeated" // a submit whose answer was lost is made again
  | "no claim" // a submit is made without asking whether somebody makes it already
  | "no sweep" // deadlines are nobody's business
  | "nobody gives up" // nor are submits that nothing explains
  | "event lost" // the event is written after the finish
  | "guess between two" // a free job goes to any submit that may have lost it
  | "guess for a refused task"; // a free job goes to a task whose own submit is explained

/** A task with all that its rows, its vendor and its workers know. Equal tasks are one object. */
export interface Task {
  readonly id: number; // of this combination of values, not of a task
  readonly status: "absent" | "checked" | "open" | "completed" | "failed"; // checked: bugs only
  /** What the rows say of the submit. Claimed: intent is written down and no outcome yet. */
  readonly submit: "unclaimed" | "claimed" | "refused" | "own job" | "job of another task";
  /** The worker that has the claim: what the vendor answered and is not written down yet. */
  readonly call: "idle" | "calling" | "accepted" | "throttled" | "refused";
  readonly job: "none" | "running" | "succeeded" | "failed"; // at the vendor
  readonly jobs: number; // that the vendor ever made for it
  /** Workers that decided how it ends. They finish it at any later time: never, once, or again. */
  readonly toComplete: boolean;
  readonly toFail: boolean;
  readonly holds: number;
  readonly captures: number;
  readonly releases: number;
  readonly events: number;
  readonly writers: number; // bugs only: workers that saw it open and are about to fail it
  readonly owesEvent: boolean; // bugs only: a worker is about to write the event
}

/** One account. Its tasks are alike, so they are sorted: which is which makes no new state. */
export interface State {
  readonly credits: number;
  readonly held: number;
  readonly tasks: readonly Task[];
}

export type Values = Omit<Task, "id">;

const known = new Map<string, Task>();

export function changed(task: Values, change: Partial<Values>): Task {
  const values = { ...task, ...change, id: 0 };
  const key = Object.values(values).join();
  const found = known.get(key) ?? { ...values, id: known.size + 1 };
  known.set(key, found);
  return found;
}

const absent = changed(
  {
    status: "absent",
    submit: "unclaimed",
    call: "idle",
    job: "none",
    jobs: 0,
    toComplete: false,
    toFail: false,
    holds: 0,
    captures: 0,
    releases: 0,
    events: 0,
    writers: 0,
    owesEvent: false,
  },
  {},
);

export function initialState({ credits, tasks }: Model): State {
  return { credits, held: 0, tasks: Array.from({ length: tasks }, () => absent) };
}

export function keyOf({ credits, held, tasks }: State): string {
  let key = String.fromCharCode(credits + 100, held + 100);
  for (const { id } of tasks) key += String.fromCharCode(id);
  return key;
}

export function isOver({ status }: Task): boolean {
  return status === "completed" || status === "failed";
}

export function openTasks({ tasks }: State): number {
  return tasks.filter(({ status }) => status === "open").length;
}

/** What holds in every state, by name. */
const rules: Readonly<Record<string, (model: Model, state: State) => boolean>> = {
  "credits cover holds": (_model, { credits, held }) => held >= 0 && credits >= held,
  "held is the price of the open tasks": ({ price }, state) =>
    state.held === price * openTasks(state),
  "balance is what the ledger says": (model, { credits, tasks }) =>
    credits === model.credits - model.price * sum(tasks, (task) => task.captures),
  "open tasks stay within the limit": ({ openTasksMax }, state) => openTasks(state) <= openTasksMax,
  "a hold ends once": ofTasks(({ captures, releases }) => captures + releases <= 1),
  "accepted is held, completed is charged, failed is given back": ofTasks(
    (task) =>
      task.holds === (task.status === "open" || isOver(task) ? 1 : 0) &&
      task.captures > 0 === (task.status === "completed") &&
      task.releases > 0 === (task.status === "failed"),
  ),
  "at most one vendor job per task": ofTasks(({ jobs }) => jobs <= 1),
  "no task has another task's job": ofTasks(({ submit }) => submit !== "job of another task"),
  "one event per task that is over": ofTasks(
    (task) => task.events + Number(task.owesEvent) === Number(isOver(task)),
  ),
};

function ofTasks(rule: (task: Task) => boolean) {
  return (_model: Model, { tasks }: State) => tasks.every(rule);
}

function sum(tasks: readonly Task[], count: (task: Task) => number): number {
  return tasks.reduce((total, task) => total + count(task), 0);
}

const ruleEntries = Object.entries(rules);

export function brokenRules(model: Model, state: State): string[] {
  return ruleEntries.filter(([, holds]) => !holds(model, state)).map(([name]) => name);
}
