import assert from "node:assert";
import { leavesTheEnd, type Move, movesAlone, movesTogether } from "./actions.ts";
import {
  brokenRules,
  initialState,
  keyOf,
  type Model,
  openTasks,
  type State,
  type Task,
} from "./state.ts";

export interface Search {
  states: readonly State[];
  actions: ReadonlySet<string>; // that were possible somewhere
  violation: { rules: string[]; trace: string[] } | null; // after the shortest way there
}

interface Step {
  move: Move;
  position: number; // of the task, before sorting
  next: State;
}

/** The reachable states, nearest first. */
interface Graph {
  states: State[];
  parents: number[]; // where a state was first reached from
  targets: number[]; // of every step but the clients', state by state: twice the index, and 1 if the service's own
  ends: number[]; // where a state's targets end and the next one's begin
}

const statesMax = 2_000_000;

/**
 * Visits every reachable state and stops at the first that breaks a rule. When none does, it asks
 * backwards whether every state has a way to its end.
 */
export function search(model: Model): Search {
  const stepsFrom = stepper(model);
  const start = initialState(model);
  const graph: Graph = { states: [start], parents: [0], targets: [], ends: [] };
  const { states, parents, targets, ends } = graph;
  const indexes = new Map([[keyOf(start), 0]]);
  const actions = new Set<string>();
  const broken = (rules: string[], at: number): Search => {
    return { states, actions, violation: { rules, trace: traceTo(graph, stepsFrom, at) } };
  };
  for (const [at, state] of states.entries()) {
    for (const { move, next } of stepsFrom(state)) {
      actions.add(move.name);
      const key = keyOf(next);
      const index = indexes.get(key) ?? states.length;
      const isNew = index === states.length;
      const rules = isNew ? brokenRules(model, next) : [];
      if (leavesTheEnd(move)) rules.unshift("nothing leaves a terminal state");
      if (isNew || rules.length > 0) {
        indexes.set(key, index);
        states.push(next);
        parents.push(at);
      }
      if (rules.length > 0) return broken(rules, states.length - 1);
      if (move.by !== "client") targets.push(2 * index + Number(move.by === "service"));
    }
    const isFinal = targets.length === (ends.at(-1) ?? 0);
    ends.push(targets.length);
    if (isFinal && !isSettled(state))
      return broken(["in a final state nothing is open or held"], at);
    assert(states.length <= statesMax, "the model has grown too large to search");
  }
  const stuckAt = firstWithoutWay(graph, (at) => ends[at] === (ends[at - 1] ?? 0), false);
  if (stuckAt !== -1) return broken(["a final state can be reached from every state"], stuckAt);
  const stuck = firstWithoutWay(graph, (_at, state) => isSettled(state), true);
  if (stuck !== -1) return broken(["every task ends although the vendor is silent"], stuck);
  return { states, actions, violation: null };
}

function isSettled(state: State): boolean {
  return openTasks(state) === 0 && state.held === 0;
}

/** All steps from a state. What a task can do alone is worked out once per kind of task. */
function stepper(model: Model): (state: State) => Step[] {
  const alone = new Map<Task, Move[]>();
  return (state) => {
    const steps: Step[] = [];
    for (const [position, task] of state.tasks.entries()) {
      if (task === state.tasks[position - 1]) continue; // its twin has done it
      const known = alone.get(task) ?? movesAlone(model, task);
      alone.set(task, known);
      for (const move of [...known, ...movesTogether(model, state, task)]) {
        const tasks = state.tasks.with(position, move.to).sort((a, b) => a.id - b.id);
        const next = { credits: state.credits + move.credits, held: state.held + move.held, tasks };
        steps.push({ move, position, next });
      }
    }
    return steps;
  };
}

/** The nearest state from which no goal can be reached, by any step or by the service's own; or -1. */
function firstWithoutWay(
  { states, targets, ends }: Graph,
  isGoal: (at: number, state: State) => boolean,
  isOwnOnly: boolean,
): number {
  const hasWay = states.map((state, at) => isGoal(at, state));
  const leadsOn = (at: number) => {
    for (let edge = ends[at - 1] ?? 0; edge < (ends[at] ?? 0); edge++) {
      const target = targets[edge] ?? 0;
      if (hasWay[target >> 1] && (target % 2 === 1 || !isOwnOnly)) return true;
    }
    return false;
  };
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (let at = states.length - 1; at >= 0; at--)
      if (!hasWay[at] && leadsOn(at)) hasGrown = hasWay[at] = true;
  }
  return hasWay.indexOf(false);
}

/** How a state is reached. Sorting moves tasks around: their names move with them. */
function traceTo(graph: Graph, stepsFrom: (state: State) => Step[], end: number): string[] {
  const path: number[] = [];
  for (let at = end; at > 0; at = graph.parents[at] ?? 0) path.unshift(at);
  let names = graph.states[0]?.tasks.map((_task, index) => `task ${index + 1}`) ?? [];
  return path.map((at) => {
    const [from, to] = [graph.states[graph.parents[at] ?? 0], graph.states[at]];
    assert(from !== undefined && to !== undefined);
    const step = stepsFrom(from).find(({ next }) => keyOf(next) === keyOf(to));
    assert(step !== undefined);
    const line = `${names[step.position]} ${step.move.name}`;
    names = from.tasks
      .with(step.position, step.move.to)
      .map(({ id }, index) => ({ id, name: names[index] ?? "" }))
      .sort((a, b) => a.id - b.id)
      .map(({ name }) => name);
    return line;
  });
}
