import type { Login } from "./login/find-login.ts";

/** One run of the program: what Ctrl-C has to say depends on how far it got. */
export interface Run {
  readonly signal: AbortSignal;
  /** The name of the command, such as `generate`. */
  readonly command?: string;
  /** The task that is still running, or the request that may have started one. */
  pending: { taskId?: string; idempotencyKey?: string };
  /** The exit code of a command that ended by itself without success. */
  exitCode?: number;
  /** Looked up once: a keychain may ask its owner every time. */
  login?: Promise<Login>;
}

/** The arguments and options given to a command. */
export interface Invocation {
  args: string[];
  options: Readonly<Record<string, unknown>>;
  run: Run;
}

export type Action = (invocation: Invocation) => Promise<void>;

/** An option that commander has parsed as text. */
export function textOption(options: Invocation["options"], name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function numberOption(options: Invocation["options"], name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}
