import fc from "fast-check";
import { expect } from "vitest";
import type { Caller } from "../../src/accounts/queries.ts";
import { adjustCredits, grantCredits, raiseHold, readBalance } from "../../src/credits/ledger.ts";
import { ApiError } from "../../src/errors.ts";
import { createTask } from "../../src/generation/create-task.ts";
import type { AccountId, TaskId } from "../../src/ids.ts";
import type { OpenContext } from "../../src/open-context.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { findTask } from "../../src/tasks/queries.ts";
import { expireTasks } from "../../src/tasks/sweep.ts";
import { checkMoney } from "../harness/check-money.ts";
import type { TestBed } from "../harness/test-context.ts";

/** The actions of a client. `pick` chooses among the tasks that were accepted so far. */
type Command =
  | { do: "create"; seconds: number; key: number | null; maxCredits: number | null }
  | { do: "complete" | "fail" | "expire"; pick: number }
  | { do: "raise"; pick: number; credits: number }
  | { do: "grant" | "adjust"; credits: number };

const pick = fc.nat({ max: 1_000 });
const commandArbitrary: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      seconds: fc.integer({ min: 4, max: 15 }),
      key: fc.option(fc.integer({ min: 0, max: 5 })),
      maxCredits: fc.option(fc.integer({ min: 20, max: 100 }), { freq: 10 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("complete" as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("fail" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expire" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("raise" as const),
      pick,
      credits: fc.integer({ min: 20, max: 150 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("grant" as const),
      credits: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("adjust" as const),
      credits: fc.integer({ min: -80, max: 40 }).filter((credits) => credits !== 0),
    }),
  },
);

export interface Sequence {
  clients: number;
  openTasksMax: number;
  budget: number | null;
  commands: Command[];
}

export const sequenceArbitrary: fc.Arbitrary<Sequence> = fc.record({
  clients: fc.integer({ min: 4, max: 8 }),
  openTasksMax: fc.integer({ min: 1, max: 5 }),
  budget: fc.option(fc.integer({ min: 100, max: 400 })),
  commands: fc.array(commandArbitrary, { minLength: 50, maxLength: 50 }),
});

const creditsAtFirst = 200;

/**
 * Runs a sequence with its clients at once over two processes, and afterwards proves the ledger and
 * compares the balance with the responses that the clients got.
 */
export async function runSequence(
  bed: TestBed,
  other: OpenContext,
  sequence: Sequence,
): Promise<void> {
  const account = await bed.openAccount({
    credits: creditsAtFirst,
    openTasksMax: sequence.openTasksMax,
    limits: { creditsMax: sequence.budget },
  });
  const expected = {
    credits: creditsAtFirst,
    tasks: new Map<TaskId, "open" | "COMPLETED" | "FAILED">(),
  };
  const queue = sequence.commands.values();
  const client = async (ctx: OpenContext) => {
    for (const command of queue) await run(ctx, account, command, expected);
  };
  await Promise.all(
    Array.from({ length: sequence.clients }, (_, n) => client(n % 2 === 0 ? bed.ctx : other)),
  );

  await checkMoney(bed.database);
  const prices = { open: 0, COMPLETED: 0, FAILED: 0 };
  for (const [taskId, status] of expected.tasks) {
    const row = await findTask(bed.ctx.db, taskId);
    const isOpen = row?.status === "PENDING";
    expect(isOpen ? "open" : row?.status).toBe(status);
    prices[status] += row?.credits ?? Number.NaN;
  }
  const credits = expected.credits - prices.COMPLETED;
  const availableCredits = credits - prices.open;
  expect(await readBalance(bed.ctx.db, account.id)).toEqual({ credits, availableCredits });
}

interface Expected {
  credits: number;
  tasks: Map<TaskId, "open" | "COMPLETED" | "FAILED">;
}

async function run(ctx: OpenContext, account: Caller, command: Command, expected: Expected) {
  switch (command.do) {
    case "create": {
      const body = {
        model: "sd2",
        inputs: { prompt: "a fox", duration: `${command.seconds}s` },
        maxCredits: command.maxCredits,
      };
      const key = command.key === null ? null : `key ${command.key}`;
      const answer = await refusedOr(() => createTask(ctx, account, body, key));
      if (answer !== null && !answer.replayed) expected.tasks.set(answer.taskId, "open");
      return;
    }
    case "grant":
      await grantCredits(ctx.pool, { accountId: account.id, credits: command.credits, note: "x" });
      expected.credits += command.credits;
      return;
    case "adjust":
      if (await adjusted(ctx, account.id, command.credits)) expected.credits += command.credits;
      return;
    default:
      return runOnTask(ctx, command, expected);
  }
}

async function runOnTask(
  ctx: OpenContext,
  command: Exclude<Command, { do: "create" | "grant" | "adjust" }>,
  expected: Expected,
) {
  const tasks = [...expected.tasks.keys()];
  const taskId = tasks[command.pick % Math.max(tasks.length, 1)];
  if (taskId === undefined) return;
  const note = (status: "COMPLETED" | "FAILED", isOurs: boolean) => {
    if (!isOurs) return;
    expect(expected.tasks.get(taskId)).toBe("open"); // nobody ends a task that was over
    expected.tasks.set(taskId, status);
  };
  switch (command.do) {
    case "complete":
      return note("COMPLETED", await finishTask(ctx, taskId, { kind: "completed", output: [] }));
    case "fail":
      return note(
        "FAILED",
        await finishTask(ctx, taskId, { kind: "failed", code: "vendor_failed" }),
      );
    case "raise":
      await raisedOnce(ctx, taskId, command.credits);
      return;
    case "expire": {
      const past = { deadline_at: new Date(0) };
      await ctx.db.updateTable("open_tasks").set(past).where("task_id", "=", taskId).execute();
      await expireTasks(ctx);
      // Whoever ended it, it is over now; if it was the sweep, no client got a response.
      const row = await findTask(ctx.db, taskId);
      if (row?.error_code === "task_expired") expected.tasks.set(taskId, "FAILED");
    }
  }
}

/** A refusal is a response too; anything else is a fault of the service. */
async function refusedOr<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code !== "internal_error") return null;
    throw error;
  }
}

async function adjusted(ctx: OpenContext, accountId: AccountId, credits: number): Promise<boolean> {
  try {
    await adjustCredits(ctx.pool, { accountId, credits, note: "x" });
    return true;
  } catch (error) {
    expect(String(error)).toContain("credits_cover_holds");
    return false;
  }
}

async function raisedOnce(ctx: OpenContext, taskId: TaskId, credits: number): Promise<void> {
  try {
    await raiseHold(ctx.db, { taskId, credits, lines: [] });
  } catch (error) {
    expect(String(error)).toContain("duplicate key"); // raised before, to less
  }
}
