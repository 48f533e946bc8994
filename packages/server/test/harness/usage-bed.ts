import type { Caller } from "../../src/accounts/queries.ts";
import { buildApi } from "../../src/api/build-api.ts";
import type { UsagePage } from "../../src/credits/usage-schema.ts";
import { createTask } from "../../src/generation/create-task.ts";
import type { TaskId } from "../../src/ids.ts";
import { finishTask, type Outcome } from "../../src/tasks/finish-task.ts";
import { checkMoney } from "./check-money.ts";
import { openTestBed } from "./test-context.ts";

/** Tasks that have ended, and what the API says of their usage. */
export async function openUsageBed() {
  const bed = await openTestBed();
  const api = await buildApi(bed.ctx);

  async function ask(key: string, query: string, accept = "application/json") {
    const headers = { authorization: `Bearer ${key}`, accept };
    return api.inject({ url: `/api/v1/account/usage?${query}`, headers });
  }

  return {
    bed,
    api,
    ask,
    async usageOf(key: string, query: string): Promise<UsagePage> {
      const response = await ask(key, query);
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json();
    },
    async run(account: Caller, outcome: Outcome, model = "sd2"): Promise<TaskId> {
      const body = { model, inputs: { prompt: "a fox" } };
      const { taskId } = await createTask(bed.ctx, account, body, null);
      await finishTask(bed.ctx, taskId, outcome);
      return taskId;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await checkMoney(bed.database);
      await api.close();
      await bed[Symbol.asyncDispose]();
    },
  };
}
