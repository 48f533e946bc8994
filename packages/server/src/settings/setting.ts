import { isIPv4 } from "node:net";
import { z } from "zod";

/** An environment variable: how it is read, and what the documentation says about it. */
export interface Setting<Value> {
  name: string;
  type: string;
  /** The default as it would be written; null where there is none. */
  preset: string | null;
  isRequired: boolean;
  /** Can be given as a file too. */
  isSecret: boolean;
  about: string;
  schema: z.ZodType<Value>;
}

type Undescribed<Value> = Omit<Setting<Value>, "about"> & { about(text: string): Setting<Value> };

export interface SettingFault {
  path: readonly PropertyKey[];
  message: string;
}

/** The settings by group and by the name that the code uses. */
export type SettingsTable = Record<string, Record<string, Setting<unknown>>>;

export type Values<Table extends SettingsTable> = {
  [Group in keyof Table]: {
    [Key in keyof Table[Group]]: Table[Group][Key] extends Setting<infer Value> ? Value : never;
  };
};

type Preset = string | number | boolean;

function define<Value>(
  name: string,
  type: string,
  schema: z.ZodType<Value>,
  preset?: Preset,
): Undescribed<Value> {
  const text = preset === undefined ? null : String(preset);
  const parts = {
    name,
    type,
    preset: text,
    isRequired: text === null,
    isSecret: false,
    schema: text === null ? schema : z.preprocess((raw) => raw ?? text, schema),
  };
  return { ...parts, about: (about) => ({ ...parts, about }) };
}

/** Null where it is not set. */
export function optional<Value>(setting: Undescribed<Value>): Undescribed<Value | null> {
  const schema = setting.schema.optional().transform((value) => value ?? null);
  const parts = { ...setting, isRequired: false, schema };
  return { ...parts, about: (about) => ({ ...parts, about }) };
}

/** A setting that also has the form `NAME_FILE`. */
export function secret<Value>(setting: Undescribed<Value>): Undescribed<Value> {
  const parts = { ...setting, isSecret: true };
  return { ...parts, about: (about) => ({ ...parts, about }) };
}

/** The default as text, where it depends on the machine. */
export function withPresetText<Value>(setting: Undescribed<Value>, preset: string) {
  const parts = { ...setting, preset };
  return { ...parts, about: (about: string) => ({ ...parts, about }) };
}

export function text(name: string, preset?: string, schema: z.ZodType<string> = z.string()) {
  return define(name, "text", schema, preset);
}

export function url(name: string, protocol = /^https?$/) {
  const withoutSlash = (raw: string) => raw.replace(/\/+$/, "");
  return define(name, "URL", z.string().pipe(z.url({ protocol })).transform(withoutSlash));
}

/** A setting of at least one URL, separated by commas. */
export function urls(name: string) {
  const { schema } = url(name);
  const items = (raw: string): unknown[] => raw.split(",").map((item) => item.trim());
  const all = z.string().transform(items).pipe(z.array(schema));
  return define(name, "URLs, separated by commas", all);
}

interface Range {
  min?: number;
  max?: number;
}

function number(name: string, unit: string, schema: z.ZodNumber, range: Range, preset?: number) {
  const { min = 1, max } = range;
  const bounds = max === undefined ? `at least ${min}` : `${min} to ${max}`;
  const bounded = max === undefined ? schema.min(min) : schema.min(min).max(max);
  return define(
    name,
    `${unit}, ${bounds}`,
    z.string().pipe(z.coerce.number()).pipe(bounded),
    preset,
  );
}

export function whole(name: string, preset?: number, range: Range = {}) {
  return number(name, "whole number", z.int(), range, preset);
}

export function decimal(name: string, preset: number, range: Range) {
  return number(name, "number", z.number(), range, preset);
}

export function milliseconds(name: string, preset: number, range: Range = {}) {
  return number(name, "milliseconds", z.int(), range, preset);
}

export function days(name: string, range: Range, preset?: number) {
  return number(name, "days", z.int(), range, preset);
}

export function port(name: string, preset?: number) {
  return number(name, "port", z.int(), { min: 0, max: 65_535 }, preset);
}

/** Read as bytes. */
export function megabytes(name: string, preset: number) {
  const schema = z.string().pipe(z.coerce.number()).pipe(z.int().min(1));
  return define(
    name,
    "megabytes, at least 1",
    schema.transform((count) => count * 1024 * 1024),
    preset,
  );
}

export function flag(name: string) {
  const schema = z.enum(["true", "false"]).transform((raw) => raw === "true");
  return define(name, "`true` or `false`", schema, false);
}

export function choice<const Names extends readonly string[]>(
  name: string,
  names: Names,
  preset: Names[number],
) {
  return define(name, names.map((one) => `\`${one}\``).join(", "), z.enum(names), preset);
}

/** Some of `names`, separated by commas; empty is none of them. */
export function list<const Names extends readonly string[]>(
  name: string,
  names: Names,
  preset: string,
) {
  const items = (raw: string) => raw.split(",").filter((item) => item !== "");
  const schema = z
    .string()
    .transform(items)
    .pipe(z.array(z.enum(names)));
  return define(name, `list of ${names.map((one) => `\`${one}\``).join(", ")}`, schema, preset);
}

/** Its owner checks the shape. */
export function json(name: string, preset?: string) {
  const read = (raw: string): unknown => {
    try {
      return JSON.parse(raw);
    } catch {
      throw new Error("must be JSON"); // without the text: it has keys in it
    }
  };
  return parsed(name, "JSON", read, preset);
}

/** Text that `parse` makes something of, or throws a message without the text. */
export function parsed<Value>(
  name: string,
  type: string,
  parse: (raw: string) => Value,
  preset?: string,
) {
  const schema = z.string().transform((raw, issues): Value => {
    try {
      return parse(raw);
    } catch (error) {
      issues.addIssue(error instanceof Error ? error.message : "cannot be read");
      return z.NEVER;
    }
  });
  return define(name, type, schema, preset);
}

/** Reads every setting and collects every fault. */
export function readTable<Table extends SettingsTable>(
  table: Table,
  environment: Record<string, string | undefined>,
): { values: Values<Table>; faults: SettingFault[] } {
  const faults: SettingFault[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const { name, schema, isRequired, about } = setting;
    const raw = environment[name];
    const parsed = schema.safeParse(raw, { error: inPlainWords });
    if (parsed.success) return parsed.data;
    if (raw === undefined && isRequired)
      faults.push({ path: [name], message: `is missing: ${about}` });
    else faults.push(...faultsOf(name, parsed.error).map((fault) => inWords(setting, fault)));
    return undefined;
  };
  const groups = Object.entries(table).map(([group, members]) => [
    group,
    Object.fromEntries(Object.entries(members).map(([key, setting]) => [key, read(setting)])),
  ]);
  return { values: Object.fromEntries(groups) as Values<Table>, faults };
}

const ownTypes = ["whole number", "number", "milliseconds", "days", "port", "megabytes", "URL"];

/** A number or an address by what it has to be; what others say by themselves is more exact. */
function inWords({ type }: Setting<unknown>, fault: SettingFault): SettingFault {
  const isOwn = ownTypes.some((own) => type === own || type.startsWith(`${own},`));
  return isOwn ? { ...fault, message: `must be this: ${type}` } : fault;
}

/** Returns the fault in plain words, where the schema has no message. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is missing" : `must be of the type ${issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of these: ${issue.values.join(", ")}`;
  if (issue.code === "unrecognized_keys") return `has unknown members: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_union") return "is none of those that are known";
  if (issue.code === "too_small")
    return `must ${amountOf(issue.origin, "at least", issue.minimum)}`;
  if (issue.code === "too_big") return `must ${amountOf(issue.origin, "at most", issue.maximum)}`;
  if (issue.code !== "invalid_format") return undefined;
  if (issue.format === "starts_with") return `must start with ${issue["prefix"]}`;
  return issue.format === "url" ? "must be a URL" : "does not have the form that it must have";
};

function amountOf(origin: string, bound: string, amount: number | bigint): string {
  if (origin === "string") return `have ${bound} ${amount} characters`;
  return origin === "array" ? `have ${bound} ${amount} entries` : `be ${bound} ${amount}`;
}

/** Messages never repeat a value: it may be a secret. */
export function faultsOf(name: string, error: z.ZodError): SettingFault[] {
  return error.issues.map(({ path, message }) => ({ path: [name, ...path], message }));
}

export function refuseSettings(
  faults: readonly SettingFault[],
  warnings: readonly SettingFault[] = [],
): never {
  const lines = [...faults, ...warnings].map(
    ({ path, message }) => `  ${path.join(".")}: ${message}`,
  );
  throw new Error(`The settings have ${faults.length} fault(s):\n${lines.join("\n")}`);
}

export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

const domainPattern = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

/** Names of hosts, separated by commas. */
export function parseDomains(text: string): string[] {
  const domains = text.split(",").map((domain) => domain.trim().toLowerCase());
  if (!domains.every((domain) => domainPattern.test(domain)))
    throw new Error("must be domains such as example.com, separated by commas");
  return domains;
}

/** PostgreSQL URLs, separated by commas. The message repeats none: they have passwords in them. */
export function parseShards(text: string): string[] {
  const shards = text.split(",").map((shard) => shard.trim());
  if (shards.some((shard) => !shard.startsWith("postgres")))
    throw new Error("must be PostgreSQL URLs, separated by commas");
  if (new Set(shards).size < shards.length) throw new Error("names a database twice");
  return shards;
}
