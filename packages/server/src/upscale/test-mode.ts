import { takeDailyAllowance } from "../accounts/allowances.ts";
import type { Context } from "../context.ts";
import type { VideoPlan } from "../db/tables/upscale.ts";
import { ApiError } from "../errors.ts";
import type { AccountId } from "../ids.ts";

const testSecondsMax = 5;

/** Cuts a planned video to what is upscaled of it for a test key: its first seconds. */
export function cutForTest<
  Planned extends {
    plan: Pick<VideoPlan, "firstAt" | "endsAt" | "tick">;
    frames: { at: number; isKey: boolean }[];
  },
>(planned: Planned) {
  const { firstAt, endsAt, tick } = planned.plan;
  const cutAt = firstAt + Math.floor((testSecondsMax * tick.under) / tick.over);
  const plan: Planned["plan"] & { isTest: true } = {
    ...planned.plan,
    endsAt: Math.min(endsAt, cutAt),
    isTest: true,
  };
  return { ...planned, plan, frames: planned.frames.filter(({ at }) => at < cutAt) };
}

/** Refuses an upscale, or a generation with one, before it costs anything, if the frames of the day are used up. */
export async function requireTestAllowance(ctx: Context, accountId: AccountId): Promise<void> {
  const perDayMax = ctx.config.testMode.upscaledFramesPerDayMax;
  const allowance = { accountId, kind: "test_upscale_frames", perDayMax } as const;
  const { isGranted, retryAfterSeconds } = await takeDailyAllowance(ctx.db, allowance, 0);
  if (!isGranted) throw new ApiError("test_allowance_used", { retryAfterSeconds });
}
