import { AccountMoved } from "../accounts/account-moved.ts";
import { type Caller, type PriceTerms, readTerms } from "../accounts/queries.ts";
import { acceptsOf, type Decision, type LimitRefusal } from "../batches/accept-tasks.ts";
import type { Context } from "../context.ts";
import { isTimeout } from "../db/database.ts";
import type { BatchRow } from "../db/sql-functions.ts";
import type { TaskKind } from "../engine/waker.ts";
import { ApiError, type OpenTasks } from "../errors.ts";
import { newId, shardOf, type TaskId } from "../ids.ts";
import type { Price } from "../models/prices.ts";
import type { Pricing } from "../prices/find-pricing.ts";
import { noteOnSpan, taskIdAttribute } from "../tracing/in-span.ts";
import { currentTraceparent } from "../tracing/trace-context.ts";
import type { Idempotency } from "./idempotency.ts";

interface TaskInput {
  kind: TaskKind;
  model: string;
  request: unknown;
  pricing: Pricing;
  price: Pick<Price, "credits" | "lines">;
  /** The caller's limit for the price. */
  creditsMax: number | null;
  callbackUrl: string | null;
  vendorAccount: string;
  ageMaxMs: number;
  idempotency: Idempotency | null;
}

export interface Acceptance {
  taskId: TaskId;
  replayed: boolean;
  /** The open tasks including this one; null for a replay, which decides nothing. */
  openTasks: OpenTasks | null;
}

/** The account's terms are others by now, or the version: it is priced again, for the time of the database. */
class PriceOutdated extends Error {
  readonly at: Date;
  constructor(at: Date) {
    super("the price is outdated");
    this.at = at;
  }
}

/** An account whose terms change at every try has changed them as often within a second. */
const triesMax = 3;

/**
 * Accepts a task at the price that counts when it is accepted: priced from what this process knows, and once
 * more by the account's row if that was outdated.
 */
export async function acceptAtPrice<Accepted>(
  ctx: Context,
  caller: Caller,
  accept: (caller: Caller, at: Date | null) => Promise<Accepted>,
): Promise<Accepted> {
  let [terms, at]: [PriceTerms, Date | null] = [caller, null];
  for (let tried = 1; ; tried++) {
    try {
      return await accept({ ...caller, ...terms }, at);
    } catch (error) {
      if (!(error instanceof PriceOutdated)) throw error;
      if (tried === triesMax) throw new ApiError("account_busy", { retryAfterSeconds: 1 });
      terms = await readTerms(ctx.pool, caller.id);
      at = error.at;
    }
  }
}

/**
 * Admits, holds and records a task in one round trip (`accept_tasks`), in a transaction that those who
 * create at the same moment share, then wakes the engine.
 * The row is the truth: if the wake-up is lost, the sweep repeats it.
 */
export async function acceptTask(
  ctx: Context,
  caller: Caller,
  input: TaskInput,
): Promise<Acceptance> {
  const decision = await decide(ctx, caller, input);
  switch (decision.outcome) {
    case "accepted":
      ctx.metrics.tasksAccepted.add({
        kind: input.kind,
        mode: caller.isTest ? "test" : "live",
        model: input.model,
      });
      noteOnSpan({ [taskIdAttribute]: decision.task_id });
      ctx.waker.wake(input.kind, "submit", decision.task_id);
      return {
        taskId: decision.task_id,
        replayed: false,
        openTasks: { open: decision.amount, max: decision.amount_max },
      };
    case "replayed":
      return { taskId: decision.task_id, replayed: true, openTasks: null };
    case "unauthorized":
    case "account_suspended":
    case "idempotency_key_reused":
      throw new ApiError(decision.outcome);
    case "account_moved":
      throw new AccountMoved();
    case "price_outdated":
      throw new PriceOutdated(new Date(decision.amount));
    default:
      throw limitRefusals[decision.outcome](decision.amount, decision.amount_max);
  }
}

async function decide(ctx: Context, caller: Caller, input: TaskInput): Promise<Decision> {
  const { idempotency } = input;
  const { version, discount, accountBook, from, until } = input.pricing;
  const shard = shardOf(caller.id);
  try {
    const row = JSON.stringify({
      account_id: caller.id,
      key_id: caller.keyId,
      task_id: newId(shard),
      hold_id: newId(shard),
      kind: input.kind,
      model: input.model,
      request: input.request,
      price_schedule: version.book,
      price_version: version.version,
      discount,
      price_lines: input.price.lines,
      account_book: accountBook,
      price_from: from,
      price_until: until,
      credits: input.price.credits,
      credits_max: input.creditsMax,
      callback_url: input.callbackUrl,
      vendor_account: input.vendorAccount,
      age_max_ms: input.ageMaxMs,
      wake_again_ms: ctx.config.tasks.submitRetryMs,
      idempotency_key: idempotency?.key ?? null,
      fingerprint: idempotency === null ? null : `\\x${idempotency.fingerprint.toString("hex")}`,
      traceparent: currentTraceparent(),
    } satisfies BatchRow<"accept_tasks">);
    return await acceptsOf(ctx.pool)({ accountId: caller.id, row });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const code = idempotency === null ? "account_busy" : "request_in_progress";
    throw new ApiError(code, { retryAfterSeconds: 1 });
  }
}

/** Tasks of all accounts that wait for a transaction in which they are accepted. */
export function countWaitingAccepts({ pool }: Pick<Context, "pool">): number {
  return acceptsOf(pool).waiting();
}

const retryAfterSeconds = 5;

/** The limits that `accept_tasks` refuses for, and their messages. */
const limitRefusals: Record<LimitRefusal, (met: number, max: number) => ApiError> = {
  concurrency_limit: (open: number, limit: number) =>
    new ApiError("concurrency_limit", {
      message: {
        en: `${open} tasks are running, and the limit is ${limit}. Wait until one of them has finished.`,
        zh: `有 ${open} 个任务正在运行，上限为 ${limit} 个。请等待其中一个完成。`,
      },
      retryAfterSeconds,
      openTasks: { open, max: limit },
    }),
  price_above_max: (price: number, max: number) =>
    new ApiError("price_above_max", {
      message: {
        en: `This task costs ${price} credits, but maxCredits is ${max}. Raise maxCredits or request a cheaper task.`,
        zh: `此任务需要 ${price} 积分，而 maxCredits 为 ${max}。请提高 maxCredits，或提交价格更低的任务。`,
      },
    }),
  insufficient_credits: (price: number, available: number) =>
    new ApiError("insufficient_credits", {
      message: {
        en: `This task costs ${price} credits, but only ${available} are available.`,
        zh: `此任务需要 ${price} 积分，但只有 ${available} 积分可用。`,
      },
    }),
  key_budget_exceeded: (price: number, left: number) =>
    new ApiError("key_budget_exceeded", {
      message: {
        en: `This task costs ${price} credits, but only ${left} are left in the budget of this API key. Use another key or ask the operator to raise the budget.`,
        zh: `此任务需要 ${price} 积分，但此 API 密钥的预算只剩 ${left} 积分。请使用其他密钥，或联系运营方提高预算。`,
      },
    }),
};
