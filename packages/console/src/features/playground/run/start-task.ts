import type { TaskRequest, Zoetrope } from "@zoetrope/sdk";
import { useRef } from "react";
import type { Inputs } from "../form/values.ts";

export interface Wanted {
  model: string;
  inputs: Inputs;
  /** The price on the button: the task costs no more. */
  maxCredits: number;
}

/** Returns a new key, also in a page without https, where `randomUUID` is missing. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns a function that creates a task. Called again after a lost response, it still creates one task. */
export function useStartTask(client: Zoetrope): (wanted: Wanted) => Promise<string> {
  const keys = useRef(new Map<string, string>());
  return async (wanted) => {
    const body = JSON.stringify(wanted);
    const idempotencyKey = keys.current.get(body) ?? newKey();
    keys.current.set(body, idempotencyKey);
    const request = wanted as unknown as TaskRequest;
    const { taskId } = await client.tasks.create(request, { idempotencyKey });
    keys.current.delete(body);
    return taskId;
  };
}
