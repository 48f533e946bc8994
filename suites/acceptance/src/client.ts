import {
  type Answer,
  type Client,
  createClient,
  pollUntil,
  send as sendTo,
} from "@zoetrope/testkit/api-client.ts";
import { readEnvironment, readSettings } from "./settings.ts";
import { pollMsOf, taskMsMaxOf } from "./time-limits.ts";

export const settings = readSettings(readEnvironment());

const limits = { taskMsMax: taskMsMaxOf(settings), pollMs: pollMsOf(settings) };

/** One request, exactly as given; `path` begins after the base address. */
export function send(path: string, init?: RequestInit): Promise<Answer> {
  return sendTo(settings.url + path, init);
}

/** A caller of the API with a key; at `url`, where it is another than all others use. */
export function clientOf(key: string, url = settings.url): Client {
  return createClient(url, key, limits);
}

/** Waits as long as a task may take; a throw ends the wait. */
export function waitFor(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  return pollUntil(what, isTrue, { timeoutMs: limits.taskMsMax, intervalMs: limits.pollMs });
}

export const main = clientOf(settings.keys.main);
/** A client of an account whose balance is compared: a test that makes tasks with it waits for their ends. */
export const other = clientOf(settings.keys.other);
export const limited = clientOf(settings.keys.limited);
export const poor = clientOf(settings.keys.poor);
export const scheduleB = clientOf(settings.keys.scheduleB);
