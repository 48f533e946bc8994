import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { createTask } from "@zoetrope/server/generation/create-task.ts";
import type { AccountId, DeliveryId, KeyId, TaskId } from "@zoetrope/server/ids.ts";
import type { OpenContext } from "@zoetrope/server/open-context.ts";
import { finishTask } from "@zoetrope/server/tasks/finish-task.ts";
import { saveEnds } from "@zoetrope/server/tasks/queries.ts";
import { bindJob, claimSubmit } from "@zoetrope/server/tasks/submit-queries.ts";
import { recordAttempt } from "@zoetrope/server/webhooks/queries.ts";
import { accountIdOf, keyIdOf } from "../create/bench-database.ts";

/** A task in the course of its life; every step fills in what the next ones need. */
export interface Life {
  readonly number: number;
  taskId?: TaskId;
  startedAt?: Date;
  deliveryId?: DeliveryId;
}

type Known = Required<Life>;

export interface Step {
  readonly name: string;
  run(ctx: OpenContext, life: Known): Promise<unknown>;
  /** The id that the database refuses in this step, while it is poisoned. */
  poisonOf(life: Known): string;
}

const prompt = (life: Life) => `a fox no. ${life.number}`;

/** Everything that many tasks do in one transaction, in the order of a life. */
export const steps: readonly Step[] = [
  {
    name: "accept",
    poisonOf: prompt,
    async run(ctx, life) {
      const n = life.number % 1_000; // every task of an account of its own
      const caller = { id: accountIdOf(n) as AccountId, keyId: keyIdOf(n) as KeyId };
      const all = { priceBook: null, models: null, requestsPerMinuteMax: null, scopes: null };
      const inputs = { prompt: prompt(life), duration: "4s" };
      const body = { model: "sd2", inputs, callBackUrl: "http://127.0.0.1:9/hook" };
      ({ taskId: life.taskId } = await createTask(ctx, { ...caller, ...all }, body, null));
    },
  },
  {
    name: "claim",
    poisonOf: ({ taskId }) => taskId,
    async run(ctx, life) {
      const { taskId } = life;
      const of = { vendorAccount: "ark", graceMs: 600_000, isAtWork: false, known: null };
      const claimed = await claimSubmit(ctx.pool, { taskId, ...of });
      if (claimed !== undefined) ({ startedAt: life.startedAt } = claimed);
    },
  },
  {
    name: "bind",
    poisonOf: ({ taskId }) => taskId,
    run: ({ pool }, { taskId, startedAt }) =>
      bindJob(pool, {
        taskId,
        jobId: `job-${taskId}`,
        pollMs: 600_000,
        submittedAt: startedAt,
        isAnswer: true,
      }),
  },
  {
    name: "end of the job",
    poisonOf: ({ taskId }) => taskId,
    run: ({ pool }, { taskId }) =>
      saveEnds(pool, [{ taskId, resultUrl: null, failureCode: "vendor_failed", detail: null }]),
  },
  {
    name: "finish",
    poisonOf: ({ taskId }) => taskId,
    run: (ctx, { taskId }) => finishTask(ctx, taskId, { kind: "failed", code: "vendor_failed" }),
  },
  {
    name: "attempt",
    poisonOf: ({ deliveryId }) => deliveryId,
    run: ({ pool }, { deliveryId }) =>
      recordAttempt(
        pool,
        { deliveryId, number: 1 },
        { status: 200, reason: null, durationMs: 1 },
        "delivered",
      ),
  },
];

/**
 * Makes the database refuse from now on whatever is written with an id, or a prompt, of the table
 * `poison`.
 */
export async function preparePoison(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (db) =>
    db.query(`
      create table poison (id text primary key);
      create function refuse_poison() returns trigger language plpgsql security definer as $$
      declare
        r jsonb := to_jsonb(new);
      begin
        if exists (select from public.poison where id in
          (r->>'id', r->>'task_id', r->>'delivery_id', r->'request'->>'prompt')) then
          raise 'poisoned';
        end if;
        return new;
      end
      $$;
      create trigger poison before insert or update on tasks for each row execute function refuse_poison();
      create trigger poison before update on open_tasks for each row execute function refuse_poison();
      create trigger poison before insert or update on attempts for each row execute function refuse_poison();
      create trigger poison before update on deliveries for each row execute function refuse_poison();`),
  );
}
