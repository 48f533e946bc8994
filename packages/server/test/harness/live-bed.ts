import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { onTestFinished } from "vitest";
import { buildApi } from "../../src/api/build-api.ts";
import { createTask } from "../../src/generation/create-task.ts";
import type { TaskId } from "../../src/ids.ts";
import { createAccountStreams } from "../../src/live/account/account-streams.ts";
import { type Question, readUpdates } from "../../src/live/account/read-updates.ts";
import type { Live } from "../../src/live/routes.ts";
import { createSubscriptions } from "../../src/live/subscriptions.ts";
import { findTask } from "../../src/tasks/queries.ts";
import { bindJob, claimSubmit } from "../../src/tasks/submit-queries.ts";
import { createUpscale } from "../../src/upscale/create-upscale.ts";
import { readStates } from "../../src/upscale/read-states.ts";
import { checkMoney } from "./check-money.ts";
import { claimOf } from "./claim-of.ts";
import { openStream } from "./event-stream.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

type SubscriptionLimits = Parameters<typeof createSubscriptions>[2];
type AccountLimits = Parameters<typeof createAccountStreams>[3];

const queryTaskPath = "/api/v1/jobs/queryTask";

export type LiveBed = Awaited<ReturnType<typeof openLiveBed>>;

/** A test bed with the api over HTTP, for clients that wait, and a second process that changes tasks. */
export async function openLiveBed(given?: TestBed) {
  const bed = given ?? (await openTestBed());
  const another = bed.openAnother();

  async function startApi(
    limits: SubscriptionLimits = {},
    streams: Live["streams"] = {},
    accountLimits: AccountLimits = {},
  ) {
    const states = (ids: TaskId[]) => readStates(bed.ctx, ids);
    const given = createSubscriptions(bed.ctx, states, limits);
    let events = 0;
    const read = async (questions: Question[]) => {
      const updates = await readUpdates(bed.ctx, states, questions);
      for (const of of updates) events += of.events.length;
      return updates;
    };
    const accounts = createAccountStreams(bed.ctx, given, read, accountLimits);
    const api = await buildApi(bed.ctx, {}, { subscriptions: given, accounts, streams });
    const address = await api.listen({ host: "127.0.0.1", port: 0 });
    return {
      subscriptions: given,
      baseUrl: address,
      close: async () => api.close(),
      /** Returns the number of events read for accounts that are followed. */
      eventsRead: () => events,
    };
  }

  const { subscriptions, baseUrl, close } = await startApi();

  /** Asks for one task in every way there is. */
  const clientOf = (key: string, taskId: string, path = queryTaskPath, base = baseUrl) =>
    createClient(`${base}${path}?taskId=${taskId}`, `Bearer ${key}`);

  return {
    ...bed,
    another,
    startApi,
    baseUrl,
    clientOf,

    async newTask() {
      const account = await bed.openAccount();
      const body = { model: "sd2", inputs: { prompt: "a fox" } };
      const { taskId } = await createTask(bed.ctx, account, body, null);
      return { account, taskId, ...clientOf(account.key, taskId) };
    },

    async newUpscale() {
      const account = await bed.openAccount();
      const source = { type: "url", url: "https://example.com/a.mp4" } as const;
      const upscaleBody = { source, targetResolution: "1080p" } as const;
      const { taskId } = await createUpscale(bed.ctx, account, upscaleBody, null);
      return { account, taskId, ...clientOf(account.key, taskId, "/api/v1/upscale/query") };
    },

    /** Waits until so many clients wait. */
    async waiting(count: number, where = subscriptions): Promise<void> {
      const isTrue = () => where.count() === count;
      await waitUntil(`${count} wait`, isTrue, { timeoutMs: 300_000 });
    },

    /** The vendor has accepted the task's job. */
    async bind(taskId: TaskId): Promise<void> {
      await claimSubmit(another.pool, claimOf(taskId));
      await bindJob(another.pool, { taskId, jobId: `job of ${taskId}`, pollMs: 1_000 });
      const task = await findTask(another.db, taskId);
      if (task !== undefined) another.changes.announce(taskId, task.account_id);
    },

    async [Symbol.asyncDispose]() {
      await close();
      await checkMoney(bed.database);
      await bed[Symbol.asyncDispose]();
    },
  };
}

function createClient(url: string, authorization: string) {
  return {
    async ask(headers: Record<string, string> = {}, method = "GET") {
      const startedAt = performance.now();
      const response = await fetch(url, { method, headers: { authorization, ...headers } });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        etag: response.headers.get("etag") ?? "",
        applied: response.headers.get("preference-applied"),
        json: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
        ms: performance.now() - startedAt,
      };
    },
    async follow(headers: Record<string, string> = {}) {
      const stream = await openStream(url, { authorization, ...headers });
      onTestFinished(stream.leave);
      return stream;
    },
  };
}
