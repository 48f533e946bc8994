import { cleanText } from "../terminal/clean-text.ts";
import { type Cell, formatTable, formatTime } from "../terminal/format.ts";
import type { AdminCommand, Answer } from "./admin-command.ts";

const cellCharsMax = 60;
/** The names of the fields whose numbers are epoch milliseconds. */
const isTime = /(?:At|Since|Until|From)$|^(?:since|until|time|from|to)$/;

/** A response of the operator API, for people: a table of its rows, or a line of each field. */
export function showAnswer({ rows, columns }: AdminCommand, answer: Answer): string[] {
  if (rows === undefined) return showFields(answer);
  const all = rows(answer);
  const names = columns ?? Object.keys(all[0] ?? {});
  const { nextCursor = null } = answer;
  if (all.length === 0 && nextCursor === null) return ["None."];
  return [
    ...formatTable(
      names.map(titleOf),
      all.map((row) => names.map((name) => cellOf(name, row[name]))),
    ),
    ...(nextCursor === null ? [] : [`More: add --cursor ${cleanText(String(nextCursor))}`]),
  ];
}

function showFields(answer: Answer): string[] {
  const fields = Object.entries(answer);
  if (fields.length === 0) return ["Done."];
  const width = Math.max(...fields.map(([name]) => titleOf(name).length));
  return fields.map(([name, value]) => {
    const text = textOf(name, value);
    return cleanText(`${titleOf(name).padEnd(width)}  ${text}`).trimEnd();
  });
}

/** `accountId` is ACCOUNT ID. */
function titleOf(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toUpperCase();
}

function cellOf(name: string, value: unknown): Cell {
  const text = textOf(name, value);
  return text.length > cellCharsMax && /\s|[{[]/.test(text)
    ? `${text.slice(0, cellCharsMax - 1)}…`
    : text;
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return isTime.test(name) ? formatTime(value) : String(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return value.join(", ");
  return namedOf(value) ?? JSON.stringify(value);
}

/** Whom an object names: an actor, a person, an account. */
function namedOf(value: object): string | null {
  const { email, name, kind, id } = value as Record<string, unknown>;
  const words = [kind, name ?? email ?? id].filter((one) => typeof one === "string");
  return typeof (name ?? email ?? id) === "string" ? words.join(" ") : null;
}
