import type { z } from "zod";
import { type ApiError, invalid } from "./errors.ts";

const nameCharactersMax = 100;

/**
 * A validation error as a 400 that names the field: `inputs.urls[2]: must be …`. An unknown member is
 * reported first: it is often a misspelling of one that is missing.
 */
export function invalidParameters(error: z.core.$ZodError, prefix: string): ApiError {
  const issue = unrecognizedKeysOf(error) ?? error.issues[0];
  if (issue === undefined) return invalid(prefix || "body", "is not valid");
  const unknownKey = unrecognizedKey(error);
  if (unknownKey === "")
    return invalid(
      renderPath(prefix, issue.path) || "body",
      "must not contain a member with an empty name",
    );
  if (unknownKey !== undefined)
    return invalid(renderPath(prefix, [...issue.path, unknownKey]), "is not accepted here");
  return invalid(renderPath(prefix, issue.path) || "body", issue.message);
}

/** The name of an unknown member, truncated. */
export function unrecognizedKey(error: z.core.$ZodError): string | undefined {
  return unrecognizedKeysOf(error)?.keys[0]?.slice(0, nameCharactersMax);
}

function unrecognizedKeysOf(error: z.core.$ZodError) {
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
