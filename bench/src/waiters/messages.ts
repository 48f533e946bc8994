import type { TaskId } from "@zoetrope/server/ids.ts";

/** One client and the task it waits for. */
export interface Waiter {
  taskId: string;
  key: string;
  isStream: boolean;
}

/** To a process of clients. */
export type ToClients =
  | { kind: "start"; port: number; waiters: Waiter[] }
  | { kind: "cut"; everyMs: number }
  | { kind: "report" };

/** What a client has seen. */
export interface Observation {
  taskId: string;
  /** By the clock of this machine. */
  endSeenAtMs: number | null;
  /** States that came more than once. */
  twice: number;
}

export interface Tally {
  reconnects: number;
  /** Answers that were not expected, and how many of each. */
  faults: Record<string, number>;
}

/** From a process of clients. */
export type FromClients =
  | ({ kind: "progress"; waiting: number; ended: number } & Tally)
  | { kind: "report"; observations: Observation[] };

/** To the process that changes tasks, and back when it has changed the last one. */
export interface Changes {
  taskIds: TaskId[];
  perSecond: number;
}
