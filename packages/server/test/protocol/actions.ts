import {
  changed,
  isOver,
  type Model,
  openTasks,
  type State,
  type Task,
  type Values,
} from "./state.ts";

/** One atomic point: what it makes of one task and of its account. Between any two, all else can happen. */
export interface Move {
  name: string;
  /** Whose doing it takes. The service's happen, sooner or later, although vendor and clients are gone. */
  by: "client" | "service" | "vendor";
  from: Task;
  to: Task;
  credits: number; // added to the account's
  held: number;
}

function move(
  name: string,
  by: Move["by"],
  from: Task,
  change: Partial<Values>,
  money: { credits?: number; held?: number } = {},
): Move {
  return { name, by, from, to: changed(from, change), credits: 0, held: 0, ...money };
}

/** What can happen to a task whatever the others do. */
export function movesAlone(model: Model, task: Task): Move[] {
  const moves = [
    ...submitMoves(model, task),
    ...vendorMoves(task),
    ...decisions(model, task),
    ...finishMoves(model, task),
  ];
  return moves.filter(({ to }) => to !== task);
}

/** What can happen to a task because of what its account and the other tasks are like. */
export function movesTogether(model: Model, state: State, task: Task): Move[] {
  return [...acceptMoves(model, state, task), ...reconcileMoves(model, state, task)];
}

/** What `accept_task` decides under the account's lock. */
export function admission(model: Model, state: State): "accepted" | "limit" | "credits" {
  if (openTasks(state) >= model.openTasksMax) return "limit";
  return model.price > state.credits - state.held ? "credits" : "accepted";
}

function acceptMoves(model: Model, state: State, task: Task): Move[] {
  const hold = () =>
    move("accept: hold", "client", task, { status: "open", holds: 1 }, { held: model.price });
  const check = () => move("accept: check", "client", task, { status: "checked" });
  const isWithinLimit = openTasks(state) < model.openTasksMax;
  const isCovered = model.price <= state.credits - state.held;
  if (task.status === "absent" && model.bug === "overdraft") return isCovered ? [check()] : [];
  if (task.status === "absent" && model.bug === "no limit") return isWithinLimit ? [check()] : [];
  if (task.status === "absent") return admission(model, state) === "accepted" ? [hold()] : [];
  if (task.status === "checked")
    return (model.bug === "overdraft" ? isWithinLimit : isCovered) ? [hold()] : [];
  return [];
}

/** Any number of workers start a submit; the one that claims it goes on to call the vendor. */
function submitMoves({ bug }: Model, task: Task): Move[] {
  const mayClaim =
    task.submit === "unclaimed" ||
    (bug === "unknown repeated" && task.submit === "claimed" && task.call === "idle") ||
    bug === "no claim";
  if (task.status === "open" && mayClaim && task.call !== "calling")
    return [
      ...answerMoves(task),
      move("submit: claim", "service", task, { submit: "claimed", call: "calling" }),
    ];
  return answerMoves(task);
}

/** The call and what follows it. At any point the worker can be gone, and with it what it knew. */
function answerMoves(task: Task): Move[] {
  const gone = (why: string) => move(`submit: ${why}`, "service", task, { call: "idle" });
  switch (task.call) {
    case "calling": {
      const job = { job: "running", jobs: task.jobs + 1 } as const;
      return [
        move("vendor: accept", "vendor", task, { ...job, call: "accepted" }),
        move("vendor: throttle or be unreachable", "vendor", task, { call: "throttled" }),
        move("vendor: refuse", "vendor", task, { call: "refused" }),
        gone("crash before the call, or no answer"),
      ];
    }
    case "accepted": {
      const submit = task.submit === "claimed" ? "own job" : task.submit;
      return [
        move("submit: bind", "service", task, { submit, call: "idle" }), // also when it is over
        gone("crash before binding, or the answer is lost"),
      ];
    }
    case "throttled":
      return [
        move("submit: return the claim", "service", task, { submit: "unclaimed", call: "idle" }),
        gone("crash before returning the claim"),
      ];
    case "refused":
      return [
        move("submit: record the refusal", "service", task, { submit: "refused", call: "idle" }),
        gone("crash before recording the refusal"),
      ];
    default:
      return [];
  }
}

function vendorMoves(task: Task): Move[] {
  const moves: Move[] = [];
  if (task.job === "running")
    moves.push(
      move("vendor: succeed", "vendor", task, { job: "succeeded" }),
      move("vendor: fail", "vendor", task, { job: "failed" }),
    );
  // Early, late, twice: a callback can come whenever there is a job.
  if (task.job !== "none" && task.status === "open" && task.submit === "claimed")
    moves.push(move("callback: bind", "vendor", task, { submit: "own job" }));
  return moves;
}

/** Somebody reads the rows or the vendor and concludes how an open task ends; to write it is another point. */
function decisions({ bug }: Model, task: Task): Move[] {
  if (task.status !== "open") return [];
  const moves: Move[] = [];
  const toFail = (name: string, by: Move["by"]) =>
    moves.push(move(name, by, task, { toFail: true }));
  if (bug !== "no sweep" && bug !== "nobody gives up")
    toFail("sweep: the deadline is over", "service");
  if (task.submit === "refused") toFail("submit: the vendor refused", "service");
  if ((task.submit === "claimed" || task.submit === "refused") && bug !== "nobody gives up")
    toFail("poll: nothing explains the submit", "service");
  if (task.submit === "own job") {
    toFail("poll: the job is gone or its video unusable", "vendor");
    if (task.job === "failed") toFail("poll: the job failed", "vendor");
    if (task.job === "succeeded")
      moves.push(move("poll: the job succeeded", "vendor", task, { toComplete: true }));
  }
  return moves;
}

/** `finish_task`: status, money and event at once, if the task is not over. */
function finishMoves({ bug, price }: Model, task: Task): Move[] {
  const moves: Move[] = [];
  const isOpen = task.status === "open";
  const written: Partial<Values> =
    bug === "event lost" ? { owesEvent: true } : { events: task.events + 1 };
  const complete = { status: "completed", captures: task.captures + 1, ...written } as const;
  const fail = { status: "failed", releases: task.releases + 1, ...written } as const;
  const charge = { credits: -price, held: -price };
  const giveBack = { held: -price };
  if (task.toComplete && (isOpen || (bug === "late capture" && task.status === "failed")))
    moves.push(move("finish: completed", "service", task, complete, charge));
  if (bug === "double release") {
    const { writers } = task;
    if (task.toFail && isOpen && writers < 2)
      moves.push(move("finish: see that it is open", "service", task, { writers: writers + 1 }));
    if (writers > 0) {
      const change = { ...fail, writers: writers - 1 };
      moves.push(move("finish: failed", "service", task, change, giveBack));
    }
  } else if (task.toFail && (isOpen || (bug === "late release" && task.status === "completed")))
    moves.push(move("finish: failed", "service", task, fail, giveBack));
  if (task.owesEvent)
    moves.push(
      move("finish: write the event", "service", task, { events: 1, owesEvent: false }),
      move("finish: crash before the event", "service", task, { owesEvent: false }),
    );
  return moves;
}

/**
 * A poll of a submit without a job reads the vendor's list: a job that no submit has is its own if it
 * is the only submit that lacks one. Tasks that are over count: their jobs and submits stay theirs.
 */
function reconcileMoves({ bug }: Model, { tasks }: State, task: Task): Move[] {
  if (task.status !== "open") return [];
  if (task.submit !== "claimed" && task.submit !== "refused") return [];
  const unexplained = tasks.filter(({ submit }) => submit === "claimed");
  const free = tasks.filter(({ job, submit }) => job !== "none" && submit !== "own job");
  const [job] = free;
  if (job === undefined || free.length > 1) return [];
  if (unexplained.length > 1 && bug !== "guess between two") return [];
  if (task.submit !== "claimed" && bug !== "guess for a refused task") return [];
  const submit = job === task ? "own job" : "job of another task";
  return [move("poll: bind the one free job", "vendor", task, { submit })];
}

/** Whether an action undoes an end. */
export function leavesTheEnd({ from, to }: Move): boolean {
  return isOver(from) && to.status !== from.status;
}
