import type { Inputs, Value, Values } from "./form/values.ts";

const draftKey = (accountId: string, model: string) => `zoetrope.draft.${accountId}.${model}`;
const lastModelKey = (accountId: string) => `zoetrope.model.${accountId}`;

/** Returns the values entered for a model of an account, also after the page was closed. */
export function readDraft(accountId: string, model: string): Values {
  const kept = parse(localStorage.getItem(draftKey(accountId, model)));
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(kept))
    if (typeof value === "string" || typeof value === "boolean" || isFiles(value))
      values[name] = value;
  return values;
}

function isFiles(value: unknown): value is { url: string; name: string | null }[] {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => typeof (one as { url?: unknown } | null)?.url === "string")
  );
}

export function keepDraft(accountId: string, model: string, values: Values): void {
  const kept = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(({ url, name: called }) => ({ url, name: called })) : value,
  ]);
  keep(localStorage, draftKey(accountId, model), Object.fromEntries(kept));
}

export function readLastModel(accountId: string): string | null {
  return localStorage.getItem(lastModelKey(accountId));
}

export function keepLastModel(accountId: string, model: string): void {
  localStorage.setItem(lastModelKey(accountId), model);
}

export interface SentRequest {
  model: string;
  /** null: not known any more. */
  inputs: Inputs | null;
}

const requestsMax = 50;
const requestsKey = (accountId: string) => `zoetrope.requests.${accountId}`;

/** Returns the request sent for a task during this visit. */
export function readRequest(accountId: string, taskId: string): SentRequest | null {
  const kept = parse(sessionStorage.getItem(requestsKey(accountId)));
  return (kept[taskId] as SentRequest | undefined) ?? null;
}

export function keepRequest(accountId: string, taskId: string, sent: SentRequest): void {
  const kept = Object.entries(parse(sessionStorage.getItem(requestsKey(accountId))));
  const last = [...kept, [taskId, sent]].slice(-requestsMax);
  keep(sessionStorage, requestsKey(accountId), Object.fromEntries(last));
}

function keep(storage: Storage, name: string, value: unknown): void {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // The browser's storage is full: the page works without.
  }
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
