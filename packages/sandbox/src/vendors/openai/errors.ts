import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { type Answer, RefusalError } from "../../kit/image-answer.ts";

interface Complaint {
  httpStatus: number;
  type: string;
  code: string | null;
  message: string;
  param?: string | null;
  /** Stands beside the message in the error. */
  more?: object;
  headers?: Record<string, string>;
  /** The name for the journal, where `code` says nothing. */
  name?: string;
}

export function openaiError(complaint: Complaint): Answer {
  const { httpStatus, type, code, message, param = null, more, headers, name } = complaint;
  return {
    httpStatus,
    headers: { ...openaiHeaders(), ...headers },
    body: { error: { message, type, param, code, ...more } },
    code: name ?? code ?? type,
  };
}

export function openaiHeaders() {
  return { "x-request-id": `req_${randomBytes(16).toString("hex")}` };
}

export function invalidRequest(code: string, param: string | null, message: string): Answer {
  return openaiError({ httpStatus: 400, type: "invalid_request_error", code, param, message });
}

/** The first thing that is wrong with the parameters, as OpenAI puts it. */
export function firstProblem(error: z.ZodError, body: unknown): RefusalError {
  const issue = error.issues[0];
  if (!issue || (issue.path.length === 0 && issue.code !== "unrecognized_keys")) {
    const message = "We could not parse the body of your request as a JSON object.";
    return new RefusalError(invalidRequest("invalid_json", null, message));
  }
  const unknown = issue.code === "unrecognized_keys" ? (issue.keys[0] ?? "") : undefined;
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  const param = nameOf(path).slice(0, 100);
  const value = path.reduce<unknown>(memberOf, body);
  return new RefusalError(invalidRequest(...complaintOf(issue, param, value)));
}

type Problem = [code: string, param: string, message: string];

function complaintOf(issue: z.core.$ZodIssue, param: string, value: unknown): Problem {
  if (issue.code === "unrecognized_keys") {
    return ["unknown_parameter", param, `Unknown parameter: '${param}'.`];
  }
  if (value === undefined) {
    return ["missing_required_parameter", param, `Missing required parameter: '${param}'.`];
  }
  switch (issue.code) {
    case "invalid_value": {
      const supported = issue.values.map((each) => `'${String(each)}'`).join(", ");
      const given = String(value).slice(0, 100);
      return [
        "invalid_value",
        param,
        `Invalid value: '${given}'. Supported values are: ${supported}.`,
      ];
    }
    case "too_big":
      return aboveMaximum(issue.origin, param, Number(issue.maximum));
    case "too_small":
      return belowMinimum(issue.origin, param, Number(issue.minimum));
    case "invalid_type":
      return ["invalid_type", param, `Invalid type for '${param}': expected ${issue.expected}.`];
    default:
      return ["invalid_value", param, `Invalid '${param}': ${issue.message}`];
  }
}

function aboveMaximum(origin: string, param: string, maximum: number): Problem {
  if (origin === "string") {
    const what = `string too long. Expected a string with maximum length ${maximum}`;
    return ["string_above_max_length", param, `Invalid '${param}': ${what}.`];
  }
  if (origin === "array") {
    const what = `array too long. Expected an array with maximum length ${maximum}`;
    return ["array_above_max_length", param, `Invalid '${param}': ${what}.`];
  }
  const what = `integer above maximum value. Expected a value <= ${maximum}`;
  return ["integer_above_max_value", param, `Invalid '${param}': ${what}.`];
}

function belowMinimum(origin: string, param: string, minimum: number): Problem {
  if (origin === "string") return ["empty_string", param, `Invalid '${param}': empty string.`];
  if (origin === "array") return ["empty_array", param, `Invalid '${param}': empty array.`];
  const what = `integer below minimum value. Expected a value >= ${minimum}`;
  return ["integer_below_min_value", param, `Invalid '${param}': ${what}.`];
}

/** `images[0].image_url` */
function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
