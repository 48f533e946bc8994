import type { Context } from "../../context.ts";
import type { AccountId, TaskId } from "../../ids.ts";
import { listOpenTaskIds } from "../../tasks/queries.ts";
import { type EventRow, listEventsOf, listLastNumbers } from "../../webhooks/event-queries.ts";
import type { TaskState } from "../task-state.ts";

/** The updates that a stream is due. */
export interface Question {
  accountId: AccountId;
  /** The number of the last event that it has; null: of the last event that there is. */
  position: number | null;
  /** Tasks that may have another state; `all`: the open ones. */
  tasks: readonly TaskId[] | "all";
}

export interface AccountUpdates {
  position: number;
  /** Open tasks of the account. */
  states: TaskState[];
  /** Tasks of `all` for which there was no room. */
  leftOut: TaskId[];
  /** The events after `position` as it was asked, in order. */
  events: EventRow[];
  hasMore: boolean;
}

/** The maximum number of states per question: they are in memory until the client has read them. */
export const statesMax = 100;
const eventsMax = 20;
/**
 * The maximum number of open tasks for an account that requests all of them; the others are sent when they
 * change.
 */
const openTasksMax = 500;
const idsPerQueryMax = 300;

/**
 * Reads the updates of many streams with a few queries. States are read before events: a state on the way
 * is never older than the end that is sent before it.
 */
export async function readUpdates(
  { db }: Context,
  readStates: (taskIds: TaskId[]) => Promise<Map<TaskId, TaskState>>,
  questions: readonly Question[],
): Promise<AccountUpdates[]> {
  const positions = await readPositions(db, questions);
  const wanted = await readWanted(db, questions);
  const ids = [...new Set(wanted.flatMap((of) => of.slice(0, statesMax)))];
  const states = new Map<TaskId, TaskState>();
  for (let from = 0; from < ids.length; from += idsPerQueryMax)
    for (const [id, state] of await readStates(ids.slice(from, from + idsPerQueryMax)))
      states.set(id, state);
  const asked = questions.map(({ accountId }, index) => ({
    accountId,
    after: positions[index] ?? 0,
  }));
  const events = Map.groupBy(
    await listEventsOf(db, asked, eventsMax + 1),
    ({ place: index }) => index,
  );
  return questions.map(({ accountId }, index) => {
    const found = events.get(index) ?? [];
    const page = found.slice(0, eventsMax);
    const ofAccount = (wanted[index] ?? []).slice(0, statesMax).flatMap((id) => {
      const state = states.get(id);
      const isOpen = state?.task.account_id === accountId && state.task.completed_at === null;
      return isOpen ? [state] : [];
    });
    return {
      position: page.at(-1)?.number ?? positions[index] ?? 0,
      states: ofAccount,
      leftOut: (wanted[index] ?? []).slice(statesMax),
      events: page,
      hasMore: found.length > eventsMax,
    };
  });
}

async function readPositions(db: Context["db"], questions: readonly Question[]): Promise<number[]> {
  const fresh = questions.filter(({ position }) => position === null);
  const accountIds = fresh.map(({ accountId }) => accountId);
  const last = fresh.length === 0 ? new Map() : await listLastNumbers(db, accountIds);
  return questions.map(({ accountId, position }) => position ?? last.get(accountId) ?? 0);
}

async function readWanted(
  db: Context["db"],
  questions: readonly Question[],
): Promise<(readonly TaskId[])[]> {
  const accountIds = questions.flatMap(({ accountId, tasks }) =>
    tasks === "all" ? [accountId] : [],
  );
  const open =
    accountIds.length === 0
      ? new Map<AccountId, TaskId[]>()
      : await listOpenTaskIds(db, [...new Set(accountIds)], openTasksMax);
  return questions.map(({ accountId, tasks }) =>
    tasks === "all" ? (open.get(accountId) ?? []) : tasks,
  );
}
