import { describeError } from "./describe-error.ts";
import type { Run } from "./run.ts";
import { cleanText } from "./terminal/clean-text.ts";
import { onStderr, toJson } from "./terminal/talk.ts";

/** Prints the error and the next step; returns the exit code. */
export function reportError(error: unknown, run: Run, wantsJson: boolean): number {
  const described = describeError(error, run.command);
  const { message, code, exitCode, requestId, param } = described;
  const taskId = described.taskId ?? run.pending.taskId ?? null;
  const next = described.next ?? (run.pending.taskId === undefined ? null : stillRunning(taskId));
  if (wantsJson) {
    const report = { code, message, param, next, requestId, taskId, exitCode };
    process.stderr.write(`${toJson({ error: report })}\n`);
    return exitCode;
  }
  const ids = [
    `code ${code}`,
    ...(param === null ? [] : [`input ${param}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
  ];
  const lines = [`${onStderr(["red", "bold"], "Error:")} ${cleanText(message)}`];
  if (next !== null) lines.push(`  ${cleanText(next)}`);
  lines.push(onStderr("dim", `  ${cleanText(ids.join(" · "))}`));
  process.stderr.write(`${lines.join("\n")}\n`);
  return exitCode;
}

/** Prints which task is still running after Ctrl-C, and how to find it again. */
export function reportInterrupted({ pending }: Run, exitCode: number, wantsJson: boolean): void {
  const { taskId, idempotencyKey } = pending;
  let next: string | null = null;
  if (taskId !== undefined) next = stillRunning(taskId);
  else if (idempotencyKey !== undefined)
    next = `Tasks may have been created. Repeat the command with --idempotency-key ${idempotencyKey}: none is made twice.`;
  const report = { code: "interrupted", message: "Interrupted.", next, taskId, exitCode };
  const lines = ["Interrupted.", ...(next === null ? [] : [`  ${cleanText(next)}`])];
  process.stderr.write(`${wantsJson ? toJson({ error: report }) : lines.join("\n")}\n`);
}

function stillRunning(taskId: string | null): string {
  return `Task ${taskId} is still running. Run 'zoetrope tasks wait ${taskId}' to wait for it.`;
}
