import type { z } from "zod";
import { type Answer, RefusalError } from "../../kit/image-answer.ts";

const statuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

type Status = keyof typeof statuses;

export function geminiError(status: Status, message: string, details: object[] = []): Answer {
  const code = statuses[status];
  return { httpStatus: code, body: { error: { code, message, status, details } }, code: status };
}

export function detail(name: string, content: object): object {
  return { "@type": `type.googleapis.com/google.rpc.${name}`, ...content };
}

export function invalidArgument(message: string, field = ""): Answer {
  const violation = { fieldViolations: [{ field, description: message }] };
  const details = field === "" ? [] : [detail("BadRequest", violation)];
  return geminiError("INVALID_ARGUMENT", message, details);
}

/** The first thing that is wrong with the body, as Google puts it. */
export function firstProblem(error: z.ZodError): RefusalError {
  const issue = error.issues[0];
  const field = fieldOf(issue?.path ?? []);
  if (issue?.code !== "unrecognized_keys") {
    const message = `Invalid value at '${field}': ${issue?.message ?? "expected an object"}`;
    return new RefusalError(invalidArgument(message, field || "body"));
  }
  const name = `"${(issue.keys[0] ?? "").slice(0, 100)}"`;
  const where = field === "" ? "" : ` at '${field}'`;
  const message = `Invalid JSON payload received. Unknown name ${name}${where}: Cannot find field.`;
  return new RefusalError(invalidArgument(message, field || "body"));
}

/** `generation_config.image_config`: Google names fields as in its protocol buffers. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    const snake = String(key).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return name === "" ? snake : `${name}.${snake}`;
  }, "");
}
