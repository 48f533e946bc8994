import type { z } from "zod";
import { type ApiError, invalid } from "./errors.ts";

const nameCharactersMax = 100;

/**
 * A fault of a body as a 400 that names the field: `inputs.urls[2]: must be …`. A member that nobody
 * expected comes first: it is often the misspelt name of one that is missed.
 */
export function invalidParameters(error: z.core.$ZodError, prefix: string): ApiError {
  const issue = strangersOf(error) ?? error.issues[0];
  if (issue === undefined) return invalid(prefix || "body", "is not valid");
  const stranger = unrecognizedKey(error);
  if (stranger === "")
    return invalid(
      renderPath(prefix, issue.path) || "body",
      "must not contain a member with an empty name",
    );
  if (stranger !== undefined)
    return invalid(renderPath(prefix, [...issue.path, stranger]), "is not a known parameter");
  return invalid(renderPath(prefix, issue.path) || "body", issue.message);
}

/** The name of a member that nobody expected, cut to a bearable length. */
export function unrecognizedKey(error: z.core.$ZodError): string | undefined {
  return strangersOf(error)?.keys[0]?.slice(0, nameCharactersMax);
}

function strangersOf(error: z.core.$ZodError) {
  return error.issues.find((issue) => issue.code === "unrecognized_keys");
}

function renderPath(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}
