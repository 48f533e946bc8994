import type { TaskId } from "@zoetrope/server/ids.ts";

/** One client and the task it waits for. */
export interface Waiter {
  taskId: string;
  key: string;
  isStream: boolean;
}

/** A message to a process of clients. */
export type ToClients =
  | { kind: "start"; port: number; waiters: Waiter[] }
  | { kind: "cut"; everyMs: number }
  | { kind: "report" };

/** A client's observations of a task. */
export interface Observation {
  taskId: string;
  /** The time by the clock of this machine. */
  endSeenAtMs: number | null;
  /** States that came more than once. */
  twice: number;
}

export interface Tally {
  reconnects: number;
  /** Unexpected responses, and how many of each. */
  faults: Record<string, number>;
}

/** A message from a process of clients. */
export type FromClients =
  | ({ kind: "progress"; waiting: number; ended: number } & Tally)
  | { kind: "report"; observations: Observation[] };

/** A message to the process that changes tasks, and back when it has changed the last one. */
export interface Changes {
  taskIds: TaskId[];
  perSecond: number;
}
