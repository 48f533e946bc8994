import type { z } from "zod";
import { type ApiError, invalid } from "./errors.ts";

/** The first fault of a body as a 400 that names the field: `inputs.urls[2]: must be …`. */
export function invalidParameters(
  error: z.core.$ZodError,
  prefix: string,
  accepted?: string[],
): ApiError {
  const issue = error.issues[0];
  if (issue === undefined) return invalid(prefix || "body", "is not valid");
  if (issue.code === "unrecognized_keys") {
    const param = renderPath(prefix, [...issue.path, issue.keys[0] ?? ""]);
    const hint = accepted === undefined ? "" : `; accepted are ${accepted.join(", ")}`;
    return invalid(param, `is not accepted here${hint}`);
  }
  return invalid(renderPath(prefix, issue.path) || "body", issue.message);
}

function renderPath(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}
