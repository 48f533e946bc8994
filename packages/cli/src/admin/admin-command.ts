import { InvalidArgumentError, Option } from "commander";
import type { AdminRequest } from "./client.ts";

export type Options = Readonly<Record<string, unknown>>;
export type Answer = Readonly<Record<string, unknown>>;

/** A command of `zoetrope admin`: what it takes, and the request of the operator API that it makes. */
export interface AdminCommand {
  /** Such as `show <accountId>`. */
  usage: string;
  does: string;
  options?: readonly Option[];
  request(
    args: readonly string[],
    options: Options,
    call: (request: AdminRequest) => Promise<Answer>,
  ): AdminRequest | Promise<AdminRequest>;
  /** The rows of a table, for people; without it every field is a line. */
  rows?(answer: Answer): readonly Answer[];
  /** The fields that the table shows. */
  columns?: readonly string[];
  /** Returns the next step to show to people. */
  next?(answer: Answer, args: readonly string[]): string | null;
}

export interface AdminNoun {
  name: string;
  about: string;
  commands: readonly AdminCommand[];
}

export const itemsOf = (answer: Answer): readonly Answer[] => (answer["items"] ?? []) as Answer[];

/** The given fields of an option object, under the names of the API; those that are not given are left out. */
export function pick(options: Options, names: Readonly<Record<string, string>>): Answer {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, option]) =>
      options[option] === undefined ? [] : [[field, options[option]]],
    ),
  );
}

/** Words separated by commas. */
function parseList(text: string): string[] {
  return text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
}

/** Parses a number written in digits alone: 1e3 is a slip. */
export function parseWhole(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It is not a whole number.");
  return value;
}

/** A number, or `none`, which commander would not keep as null. */
export function parseLimit(text: string): number | "none" {
  return text === "none" ? text : parseWhole(text);
}

/** Likewise of limits: none is null. */
export function pickLimits(options: Options, names: Readonly<Record<string, string>>): Answer {
  const given = Object.entries(pick(options, names));
  return Object.fromEntries(
    given.map(([field, value]) => [field, value === "none" ? null : value]),
  );
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It is not JSON.");
  }
}

/** Parses a time such as 2030-12-31T12:00:00Z and returns epoch milliseconds. */
export function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new InvalidArgumentError("It is no time such as 2030-12-31T12:00:00Z.");
  return ms;
}

export const option = (flags: string, text: string): Option => new Option(flags, text);
export const required = (flags: string, text: string): Option =>
  new Option(flags, text).makeOptionMandatory();
export const whole = (flags: string, text: string): Option =>
  new Option(flags, text).argParser(parseWhole);
export const list = (flags: string, text: string): Option =>
  new Option(flags, text).argParser(parseList);

export const reason = () => required("--reason <text>", "why; it stays in the audit");
export const paging = () => [
  whole("--limit <count>", "items of a page"),
  option("--cursor <cursor>", "nextCursor of the page before"),
];
export const pageOf = (options: Options): Answer =>
  pick(options, { limit: "limit", cursor: "cursor" });

/** A segment of a path. */
export const part = (text: string | undefined): string => encodeURIComponent(text ?? "");
