/** A record of what a client did or saw. The lines are in the order in which it happened. */
export type ClientLine =
  | RequestedLine
  | AnsweredLine
  /** A poll saw another status than the poll before it. */
  | { event: "seen"; at: number; accountId: string; taskId: string; status: string }
  /** The first poll that saw the task's end. */
  | { event: "ended"; at: number; accountId: string; taskId: string; task: TaskView }
  /** The last query, when nothing is open any more. */
  | { event: "last"; at: number; accountId: string; taskId: string; task: TaskView }
  /** A query for a task of another account. */
  | { event: "foreign"; accountId: string; taskId: string; status: number; body: unknown };

/** A request that a client is about to send, under its own idempotency key. */
export interface RequestedLine {
  event: "requested";
  accountId: string;
  key: string;
  model: string;
  outputResolution: string;
  seconds: number;
  prompt: string;
  /** The sandbox directives in the prompt. */
  directives: string;
  callbackUrl: string | null;
}

/** A response to createTask. */
export interface AnsweredLine {
  event: "answered";
  at: number;
  accountId: string;
  key: string;
  status: number;
  taskId: string | null;
}

/** A task as queryTask shows it. */
export interface TaskView {
  taskId: string;
  status: string;
  creditsUsed: number;
  errorCode: string | null;
  [field: string]: unknown;
}

export function linesOf<Name extends ClientLine["event"]>(lines: ClientLine[], event: Name) {
  return lines.filter((line): line is Extract<ClientLine, { event: Name }> => line.event === event);
}

export function answersOf(lines: ClientLine[]): AnsweredLine[] {
  return linesOf(lines, "answered");
}

/** Returns the requests by task id. */
export function requestsOf(lines: ClientLine[]): Map<string, RequestedLine> {
  const byKey = new Map(linesOf(lines, "requested").map((line) => [line.key, line]));
  return new Map(
    answersOf(lines).flatMap(({ taskId, key }) => {
      const request = byKey.get(key);
      return taskId === null || request === undefined ? [] : [[taskId, request]];
    }),
  );
}
