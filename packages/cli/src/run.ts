import type { Login } from "./login/find-login.ts";

/** One run of the program: what Ctrl-C has to say depends on how far it got. */
export interface Run {
  readonly signal: AbortSignal;
  /** What goes on without us, or may have begun. */
  pending: { taskId?: string; idempotencyKey?: string };
  /** Of a command that ended by itself without success. */
  exitCode?: number;
  /** Looked up once: a keychain may ask its owner every time. */
  login?: Promise<Login>;
}

/** What a command was given. */
export interface Given {
  args: string[];
  options: Readonly<Record<string, unknown>>;
  run: Run;
}

export type Action = (given: Given) => Promise<void>;

/** An option that commander has parsed as text. */
export function textOption(options: Given["options"], name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function numberOption(options: Given["options"], name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}
