import {
  type AccountId,
  type AssetId,
  type KeyId,
  parseId,
  type TaskId,
  type TransferId,
} from "../ids.ts";

export type Options = Record<string, string | boolean | undefined>;

/** What a command did, and what to do next. */
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

/** By noun and verb, such as `account create`. */
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

export function readCount(options: Options, name: string): number {
  const value = Number(readText(options, name));
  if (!Number.isSafeInteger(value) || value <= 0)
    fail(`--${name} must be a positive whole number.`);
  return value;
}

export function readOptionalCount(options: Options, name: string): number | null {
  return options[name] === undefined ? null : readCount(options, name);
}

export function readId<Id extends AccountId | KeyId | TaskId | TransferId>(
  options: Options,
  name: string,
): Id {
  return parseId<Id>(readText(options, name)) ?? fail(`--${name} must be an id.`);
}

export function readAssetId(options: Options, name: string): AssetId {
  return readCount(options, name) as AssetId;
}

/** Values separated by commas, each one of `known`; `null` if the option is omitted. */
export function readList<Name extends string>(
  options: Options,
  name: string,
  known: readonly Name[],
): Name[] | null {
  if (options[name] === undefined) return null;
  return readText(options, name)
    .split(",")
    .map(
      (item) =>
        known.find((one) => one === item) ??
        fail(`--${name}: there is no ${item}; there are ${known.join(", ")}.`),
    );
}
