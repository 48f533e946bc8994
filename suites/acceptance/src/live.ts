import type { Answer } from "@zoetrope/testkit/api-client.ts";
import type { Task } from "@zoetrope/testkit/api-types.ts";
import { send, settings } from "./client.ts";
import { taskMsMaxOf } from "./time-limits.ts";

export interface TaskEvent<State> {
  id: string;
  event: string;
  task: State;
}

/** Queries a task of the main account with the given headers, and waits as long as it may take. */
export function ask(
  taskId: string,
  headers: Record<string, string>,
  query = "jobs/queryTask",
): Promise<Answer> {
  return send(`/api/v1/${query}?taskId=${taskId}`, {
    headers: { authorization: `Bearer ${settings.keys.main}`, ...headers },
    signal: AbortSignal.timeout(taskMsMaxOf(settings)),
  });
}

/** A whole stream, from its first event to its end. */
export async function follow<State = Task>(
  taskId: string,
  headers: Record<string, string> = {},
  query?: string,
) {
  const answer = await ask(taskId, { accept: "text/event-stream", ...headers }, query);
  const events = answer.text.split("\n\n").flatMap((block): TaskEvent<State>[] => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
    if (field("data") === "") return [];
    const task = JSON.parse(field("data")) as State;
    return [{ id: field("id"), event: field("event"), task }];
  });
  return { answer, events };
}
