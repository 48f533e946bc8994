import { describeError } from "./describe-error.ts";
import type { Run } from "./run.ts";
import { cleanText } from "./terminal/clean-text.ts";
import { onStderr, toJson } from "./terminal/talk.ts";

/** Says what went wrong and what to do next; answers the exit code. */
export function tellError(error: unknown, run: Run, wantsJson: boolean): number {
  const described = describeError(error);
  const { message, code, exitCode, requestId, param } = described;
  const taskId = described.taskId ?? run.pending.taskId ?? null;
  const next =
    described.next ??
    (run.pending.taskId === undefined ? null : `Task ${taskId} goes on: ${waitAgain(taskId)}`);
  if (wantsJson) {
    const told = { code, message, param, next, requestId, taskId, exitCode };
    process.stderr.write(`${toJson({ error: told })}\n`);
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

/** What goes on after Ctrl-C, and how to find it again. */
export function tellInterrupted({ pending }: Run, exitCode: number, wantsJson: boolean): void {
  const { taskId, idempotencyKey } = pending;
  let next: string | null = null;
  if (taskId !== undefined) next = `Task ${taskId} goes on: ${waitAgain(taskId)}`;
  else if (idempotencyKey !== undefined)
    next = `Tasks may have been created. Repeat the command with --idempotency-key ${idempotencyKey}: none is made twice.`;
  const told = { code: "interrupted", message: "Interrupted.", next, taskId, exitCode };
  const lines = ["Interrupted.", ...(next === null ? [] : [`  ${cleanText(next)}`])];
  process.stderr.write(`${wantsJson ? toJson({ error: told }) : lines.join("\n")}\n`);
}

function waitAgain(taskId: string | null): string {
  return `'zoetrope tasks wait ${taskId}' waits for it again.`;
}
