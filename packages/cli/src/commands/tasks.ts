import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ListedTask, ListTasksQuery } from "../answers.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTable, formatTime } from "../terminal/format.ts";
import { formatSeconds, startSpinner } from "../terminal/spinner.ts";
import { linkOnStdout } from "../terminal/talk.ts";
import { completeGeneration, completeUpscale, printCompleted } from "./complete-task.ts";

export async function listTasks(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const { options } = invocation;
  const query: Record<string, unknown> = { limit: numberOption(options, "limit") };
  for (const name of ["status", "kind", "model", "from", "to", "prompt", "cursor"])
    query[name] = textOption(options, name);
  const page = await client.tasks.list(query as ListTasksQuery, { signal });
  talk.result(page, () => [
    ...formatTable(
      ["TASK", "MODEL", "STATUS", "CREDITS", "CREATED", "TOOK"],
      page.items.map((task) => {
        const { createdMs, endedMs } = timesOf(task);
        const took = endedMs === null ? "" : formatSeconds(endedMs - createdMs);
        const status = task.status.toUpperCase();
        return [task.taskId, task.model, status, task.credits, formatTime(createdMs), took];
      }),
    ),
    ...more(page.nextCursor),
  ]);
}

/** The hint to the next page, for people. */
export function more(nextCursor: string | number | null): string[] {
  return nextCursor === null ? [] : [`More: add --cursor ${cleanText(String(nextCursor))}`];
}

function timesOf(task: ListedTask): { createdMs: number; endedMs: number | null } {
  if (task.kind === "generation") return { createdMs: task.createTime, endedMs: task.completeTime };
  const { createdAt, finishedAt } = task;
  return {
    createdMs: Date.parse(createdAt),
    endedMs: finishedAt === null ? null : Date.parse(finishedAt),
  };
}

/** A task of either kind. */
async function findTask({ client, signal }: Session, taskId: string): Promise<ListedTask> {
  const { tasks } = await client.tasks.query([taskId], { signal });
  const [task] = tasks;
  if (task !== undefined) return task;
  throw new CliError(`There is no task ${taskId}.`, {
    exitCode: exitCodes.notFound,
    code: "not_found",
    next: "'zoetrope tasks list' shows the newest tasks.",
  });
}

export async function getTask(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const task = await findTask(session, invocation.args[0] ?? "");
  session.talk.result(task, () => {
    const { createdMs, endedMs } = timesOf(task);
    const failure = typeof task.error === "string" ? task.error : (task.error?.message ?? null);
    return [
      cleanText(`${task.taskId}  ${task.status.toUpperCase()}`),
      cleanText(`  model    ${task.model}`),
      cleanText(`  credits  ${task.credits}`),
      `  created  ${formatTime(createdMs)}`,
      ...(endedMs === null ? [] : [`  ended    ${formatTime(endedMs)}`]),
      ...(failure === null ? [] : [`  error    ${cleanText(failure)}`]),
      ...filesOf(task).map(({ url }) => `  file     ${linkOnStdout(url)}`),
    ];
  });
}

function filesOf(task: ListedTask): { url: string }[] {
  if (task.kind === "generation") return task.output ?? [];
  return task.result === null ? [] : [task.result];
}

export async function waitTask(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const { options } = invocation;
  const { taskId, kind } = await findTask(session, invocation.args[0] ?? "");
  session.run.pending = { taskId };
  const wait = kind === "generation" ? completeGeneration : completeUpscale;
  const completed = await (async () => {
    using spinner = startSpinner(session.talk);
    return await wait(session, { taskId, options, spinner });
  })();
  await printCompleted(session, completed, options);
}

/** Opens the result in the program that the desktop uses for it. */
export async function openTask(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const task = await findTask(session, invocation.args[0] ?? "");
  const [file] = filesOf(task);
  if (file === undefined || !/^https?:\/\//.test(file.url))
    throw new CliError(`Task ${task.taskId} has no file.`, {
      exitCode: exitCodes.notFound,
      code: "no_output",
      next: `'zoetrope tasks wait ${task.taskId}' waits for its end.`,
    });
  const isOpened = session.talk.isJson ? false : await openUrl(file.url);
  session.talk.result({ taskId: task.taskId, url: file.url }, () =>
    isOpened ? `Opened ${linkOnStdout(file.url)}` : linkOnStdout(file.url),
  );
}

async function openUrl(url: string): Promise<boolean> {
  const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore" });
  try {
    await once(child, "spawn");
  } catch {
    return false;
  }
  child.unref();
  return true;
}

export async function showTimeline(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const timeline = await client.tasks.timeline(invocation.args[0] ?? "", { signal });
  const began = timeline.entries[0]?.from ?? 0;
  talk.result(timeline, () => [
    ...formatTable(
      ["AFTER", "LASTED", "", "EVENT", ""],
      timeline.entries.map(({ from, to, state, event, outcome, errorCode, reason }) => [
        formatSeconds(from - began),
        to === null ? "…" : `${to - from} ms`,
        state,
        event,
        [outcome, errorCode, reason].filter(Boolean).join(" · "),
      ]),
    ),
    `waited ${formatSeconds(timeline.waitingMs)}, worked ${formatSeconds(timeline.workingMs)}`,
  ]);
}
