import {
  ApiError,
  ConnectionError,
  TaskFailedError,
  TimeoutError,
  ZoetropeError,
} from "@zoetrope/sdk";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";

export interface Described {
  message: string;
  code: string;
  exitCode: number;
  next: string | null;
  requestId: string | null;
  param: string | null;
  taskId: string | null;
}

const exitCodeOfStatus: Readonly<Record<number, number>> = {
  400: exitCodes.usage,
  401: exitCodes.auth,
  402: exitCodes.credits,
  403: exitCodes.auth,
  404: exitCodes.notFound,
  413: exitCodes.usage,
  415: exitCodes.usage,
  422: exitCodes.usage,
  429: exitCodes.limit,
};

const nextOfCode: Readonly<Record<string, string>> = {
  not_found: "Check ZOETROPE_BASE_URL, or 'zoetrope login': it is the address before /api/v1.",
  price_above_max: "Raise --max-credits, or see the price of each part with 'zoetrope quote'.",
  concurrency_limit:
    "Wait until a task is over ('zoetrope tasks list'), or use --batch, which waits for room.",
  idempotency_key_reused: "Use another --idempotency-key for another request.",
  scope_missing: "Use a key with this scope: 'zoetrope keys list' shows the scopes of each.",
};

const nextOfAdminCode: Readonly<Record<string, string>> = {
  unauthorized: "Run 'zoetrope admin login', or set ZOETROPE_SERVICE_KEY and ZOETROPE_BASE_URL.",
  scope_missing: "Have an operator issue a key with this scope.",
  person_required: "Do it in the console, where you sign in as yourself.",
  not_found: "Check ZOETROPE_BASE_URL, or 'zoetrope admin login'.",
};

const nextOfStatus: Readonly<Record<number, string>> = {
  401: "Run 'zoetrope login', or set ZOETROPE_API_KEY and ZOETROPE_BASE_URL.",
  402: "Ask the operator of the service for credits; 'zoetrope credits' shows what is left.",
  404: "Check the id; 'zoetrope tasks list' shows the newest tasks.",
};

const nothing = { next: null, requestId: null, param: null, taskId: null };

/** Describes an error to a person or a program, never with a stack. */
export function describeError(error: unknown, command = "generate"): Described {
  if (error instanceof CliError) {
    const { code, exitCode, next = null, requestId = null } = error.details;
    return { ...nothing, message: error.message, code, exitCode, next, requestId };
  }
  if (error instanceof ApiError) return describeRefusal(error, command);
  if (error instanceof TaskFailedError) return describeFailure(error);
  if (error instanceof ConnectionError) {
    const { message, code, idempotencyKey, requestId } = error;
    const next =
      idempotencyKey === null
        ? "Check the address and the network, then try again."
        : `Repeat the command with --idempotency-key ${idempotencyKey}: it has its effect once.`;
    const exitCode = exitCodes.unavailable;
    return { ...nothing, message, code, exitCode, next, requestId };
  }
  if (error instanceof TimeoutError) {
    const { message, code, taskId } = error;
    return { ...nothing, message, code, exitCode: exitCodes.timeout, taskId };
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof ZoetropeError ? error.code : (systemCode(error) ?? "unexpected");
  return { ...nothing, message, code, exitCode: exitCodes.other };
}

function describeRefusal(error: ApiError, command: string): Described {
  const { message, code, status, requestId, param } = error;
  const exitCode =
    exitCodeOfStatus[status] ?? (status >= 500 ? exitCodes.unavailable : exitCodes.other);
  const isAdmin = command === "admin";
  const next =
    (isAdmin ? nextOfAdminCode : nextOfCode)[code] ??
    (status === 400 ? helpHint(command) : (isAdmin ? {} : nextOfStatus)[status]) ??
    waitHint(error);
  return { ...nothing, message, code, exitCode, next, requestId, param };
}

function helpHint(command: string): string {
  return ["generate", "quote"].includes(command)
    ? `Correct the input; 'zoetrope ${command} --model MODEL --help' lists what a model takes.`
    : `Correct the input; 'zoetrope ${command} --help' lists what the command takes.`;
}

function waitHint({ retryAfterMs, idempotencyKey }: ApiError): string | null {
  const again = idempotencyKey === null ? "" : ` with --idempotency-key ${idempotencyKey}`;
  if (retryAfterMs !== null)
    return `Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s${again}.`;
  return idempotencyKey === null ? null : `Try again${again}: it has its effect once.`;
}

function describeFailure({ message, code, task }: TaskFailedError): Described {
  const { taskId } = task;
  const next = `Nothing was charged. 'zoetrope tasks timeline ${taskId}' shows what happened.`;
  return { ...nothing, message, code, exitCode: exitCodes.taskFailed, next, taskId };
}

/** Returns a system's error code, such as ENOENT for a missing file. */
function systemCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}
