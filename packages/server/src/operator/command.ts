import { type AccountId, parseId } from "../ids.ts";

export type Options = Record<string, string | boolean | undefined>;

/** The report of a command: what it did, and what to do next. */
export interface Report {
  facts: Record<string, string | number> | Record<string, string | number | null>[];
  next?: string;
}

export interface Command {
  /** The options as in a synopsis; the parser accepts what stands here. */
  takes: string;
  does?: string;
  run(options: Options): Promise<Report>;
}

/** The commands by noun and verb, such as `account move`. */
export type Commands = Record<string, Command>;

/** A mistake in the command line, as opposed to a failure: exit code 2. */
export class UsageError extends Error {}

export function fail(message: string): never {
  throw new UsageError(message);
}

export function readText(options: Options, name: string): string {
  const value = options[name];
  return typeof value === "string" && value !== "" ? value : fail(`--${name} is missing.`);
}

/** Written in digits alone: 1e3 is a slip. */
export function readCount(options: Options, name: string): number {
  const text = readText(options, name);
  const value = Number(text);
  const isCount = /^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0;
  return isCount ? value : fail(`--${name} must be a positive whole number.`);
}

export function readAccountId(options: Options, name: string): AccountId {
  return parseId<AccountId>(readText(options, name)) ?? fail(`--${name} must be an id.`);
}

/** Reads a time, written as 2030-12-31T12:00:00Z or as PostgreSQL writes it. */
export function readTime(options: Options, name: string): Date {
  const given = readText(options, name);
  const ofPostgres = /^(\d{4}-\d\d-\d\d) ([\d:.]+)([+-]\d\d)(:?\d\d)?$/.exec(given);
  const [, day, clock, hours, minutes = "00"] = ofPostgres ?? [];
  const isoText = `${day}T${clock}${hours}:${minutes.replace(":", "")}`;
  const time = new Date(ofPostgres === null ? given : isoText);
  if (Number.isNaN(time.getTime())) fail(`--${name} must be a time such as 2030-12-31T12:00:00Z.`);
  return time;
}
