import { newKey } from "./abort.ts";
import { assetCalls } from "./assets.ts";
import { type CreateOptions, creation, get, read, readPages } from "./calls.ts";
import { type OpenTasks, TaskFailedError, TimeoutError, ZoetropeError } from "./errors.ts";
import { type EventsOptions, followEvents, type Step } from "./follow-events.ts";
import {
  type Followed,
  followTask,
  persist,
  type WaitOptions,
  waitForTask,
} from "./follow-task.ts";
import type {
  CreateTaskAnswer,
  DeleteMediaAnswer,
  Event,
  Key,
  ListModelsAnswer,
  ListTasksAnswer,
  ListTasksQuery,
  QueryTasksAnswer,
  QuoteTaskAnswer,
  ReadCreditsAnswer,
  ReadLedgerAnswer,
  ReadLedgerQuery,
  ReadRequestAnswer,
  ReadTimelineAnswer,
  ReadUsageAnswer,
  ReadUsageQuery,
} from "./generated.ts";
import { keyCalls } from "./keys.ts";
import { type Output, openOutput } from "./outputs.ts";
import { type BatchJob, type BatchOptions, type BatchResult, runBatch } from "./run-batch.ts";
import { type FileMemory, takeFiles } from "./take-files.ts";
import {
  type Call,
  type CallOptions,
  limitTime,
  readOpenTasks,
  type Signalled,
  send,
  sendForJson,
  type Transport,
} from "./transport.ts";
import type { GenerationTask, InputsOf, ModelName, TaskRequest } from "./types.ts";
import { upscaleCalls } from "./upscales.ts";
import { signWebhook, unwrapWebhook } from "./webhooks.ts";

interface CommonOptions {
  /** Where the service is, such as `https://media.example.com`. */
  baseUrl: string;
  /** Of one attempt of a call. */
  timeoutMs?: number;
  retriesMax?: number;
  fetch?: typeof fetch;
}

/** In a page of the service itself: the browser sends the cookie of the person who is signed in. */
export interface SessionOptions {
  /** The account to act in. A person with one account need not name it. */
  accountId?: string | null | undefined;
}

/** A key, or a session. */
export type ClientOptions = CommonOptions &
  ({ apiKey: string; session?: undefined } | { session: SessionOptions; apiKey?: undefined });

export interface RunOptions extends WaitOptions<GenerationTask>, CreateOptions {
  callBackUrl?: string | undefined;
  /** The most that the task may cost; above it nothing is created. */
  maxCredits?: number | undefined;
}

/** With a key of its own, a batch can be repeated after a restart: no task is made twice. */
export type BatchRequest = TaskRequest & Pick<CreateOptions, "idempotencyKey">;

export type CompletedTask = GenerationTask & { files: Output[] };

const timeoutMsUsual = 30_000;
const retriesUsual = 2;

export class Zoetrope {
  readonly #transport: Transport;
  readonly #files: FileMemory = { assets: new Map(), interrupted: new Map() };
  readonly upscales: ReturnType<typeof upscaleCalls>;
  readonly assets: ReturnType<typeof assetCalls>;
  readonly keys: ReturnType<typeof keyCalls>;
  readonly webhooks = { unwrap: unwrapWebhook, sign: signWebhook };

  constructor(options: ClientOptions) {
    const { baseUrl, timeoutMs, retriesMax, fetch: given } = options;
    const headers = identify(options);
    requireWebUrl(baseUrl);
    this.#transport = {
      baseUrl: baseUrl.replace(/\/+$/, ""),
      headers,
      fetch: given ?? fetch.bind(globalThis),
      timeoutMs: timeoutMs ?? timeoutMsUsual,
      retriesMax: retriesMax ?? retriesUsual,
    };
    this.upscales = upscaleCalls(this.#transport, this.#files);
    this.assets = assetCalls(this.#transport, this.#files);
    this.keys = keyCalls(this.#transport);
  }

  /** Creates a task, waits for its end and answers its files. Throws `TaskFailedError` if it failed. */
  async run<Model extends ModelName>(
    model: Model,
    inputs: InputsOf<Model>,
    options: RunOptions = {},
  ): Promise<CompletedTask> {
    const { callBackUrl, maxCredits, onProgress, timeoutMs, idempotencyKey = newKey() } = options;
    const request = { model, inputs, callBackUrl, maxCredits } as TaskRequest;
    let taskId: string | null = null;
    const message = `The task is not over after ${timeoutMs} ms. It goes on: wait for its taskId.`;
    const late = () => new TimeoutError(message, { taskId, idempotencyKey });
    const { signal, end } = limitTime(options, late);
    try {
      ({ taskId } = await this.tasks.create(request, { idempotencyKey, signal }));
      const task = await this.tasks.wait(taskId, { signal, onProgress });
      return this.complete(task, idempotencyKey);
    } finally {
      end();
    }
  }

  /** The files of a task that is over. Throws `TaskFailedError` if it failed. */
  complete(task: GenerationTask, idempotencyKey: string | null = null): CompletedTask {
    const { taskId, status, output, error, errorCode } = task;
    if (status === "FAILED")
      throw new TaskFailedError(task, {
        code: errorCode ?? "unknown",
        message: error ?? `Task ${taskId} has failed.`,
        idempotencyKey,
      });
    if (status !== "COMPLETED")
      throw new ZoetropeError(`Task ${taskId} is ${status}: wait for it.`, { code: "not_over" });
    const files = (output ?? []).map((file, at) => {
      const renew = async (signal: AbortSignal | undefined) =>
        (await this.tasks.get(taskId, { signal })).output?.[at]?.url ?? null;
      return openOutput({ fetch: this.#transport.fetch, renew }, file);
    });
    return { ...task, files };
  }

  /** Runs many tasks, as many at once as the account may have; answers each as soon as it is over. */
  batch(
    requests: readonly BatchRequest[],
    options: BatchOptions = {},
  ): AsyncGenerator<BatchResult<CompletedTask>> {
    const jobs = requests.map((request): BatchJob<CompletedTask> => {
      const { idempotencyKey = newKey() } = request; // one for all tries of this request
      return async (signal, tell) => {
        const { taskId, openTasks } = await persist(signal, () =>
          this.#createTask(request, { idempotencyKey, signal }),
        );
        tell(openTasks);
        return this.complete(await this.tasks.wait(taskId, { signal }), idempotencyKey);
      };
    });
    return runBatch(jobs, options);
  }

  readonly tasks = {
    create: async (
      request: TaskRequest,
      options: CreateOptions = {},
    ): Promise<CreateTaskAnswer> => {
      const { taskId } = await this.#createTask(request, options);
      return { taskId };
    },
    get: (taskId: string, options: CallOptions = {}): Promise<GenerationTask> =>
      this.#get("/api/v1/jobs/queryTask", { taskId }, options),
    wait: (taskId: string, options: WaitOptions<GenerationTask> = {}): Promise<GenerationTask> =>
      waitForTask(this.#transport, generation(taskId), options),
    stream: (taskId: string, options: Signalled = {}): AsyncGenerator<GenerationTask> =>
      followTask(this.#transport, generation(taskId), options),
    /** Up to 100 tasks of both kinds at once. */
    query: (taskIds: readonly string[], options: CallOptions = {}): Promise<QueryTasksAnswer> =>
      read(this.#transport, "/api/v1/jobs/query", { taskIds }, options),
    /** A page of tasks of both kinds, newest first. */
    list: (query: ListTasksQuery = {}, options: CallOptions = {}): Promise<ListTasksAnswer> =>
      this.#get("/api/v1/jobs/list", query, options),
    /** Every task that the filters let through, newest first. */
    listAll: (query: Omit<ListTasksQuery, "cursor"> = {}, options: CallOptions = {}) =>
      readPages((cursor: string | null) =>
        this.tasks.list({ ...query, ...(cursor === null ? {} : { cursor }) }, options),
      ),
    /** What happened to a task and when, with waiting told apart from working. */
    timeline: (taskId: string, options: CallOptions = {}): Promise<ReadTimelineAnswer> =>
      this.#get("/api/v1/jobs/timeline", { taskId }, options),
    /** What a task was created with: inputs that make the same again. */
    request: (taskId: string, options: CallOptions = {}): Promise<ReadRequestAnswer> =>
      this.#get("/api/v1/jobs/request", { taskId }, options),
    deleteMedia: (taskId: string, options: CallOptions = {}): Promise<DeleteMediaAnswer> => {
      const call = { method: "DELETE" as const, path: "/api/v1/jobs/media", query: { taskId } };
      return this.request({ ...call, ...options });
    },
  };

  async quote(request: TaskRequest, options: CallOptions = {}): Promise<QuoteTaskAnswer> {
    const body = await this.#body(request, options);
    return read(this.#transport, "/api/v1/jobs/quote", body, options);
  }

  models(options: CallOptions = {}): Promise<ListModelsAnswer> {
    return this.#get("/api/v1/models", {}, options);
  }

  credits(options: CallOptions = {}): Promise<ReadCreditsAnswer> {
    return this.#get("/api/v1/account/credits", {}, options);
  }

  ledger(query: Partial<ReadLedgerQuery> = {}, options: CallOptions = {}) {
    return this.#get<ReadLedgerAnswer>("/api/v1/account/ledger", query, options);
  }

  /** The API key that this client calls with: its limits, and what its budget leaves. */
  key(options: CallOptions = {}): Promise<Key> {
    return this.#get("/api/v1/account/key", {}, options);
  }

  /** What ended tasks cost, by hour, day or month. */
  usage(query: ReadUsageQuery = {}, options: CallOptions = {}): Promise<ReadUsageAnswer> {
    return this.#get("/api/v1/account/usage", query, options);
  }

  /**
   * The ends of all tasks, in order, each once, as they happen, until `signal` is aborted. With `after`
   * it begins behind that number, without it now. Keep the last `number` to resume another time.
   */
  events(after: number | null | undefined, options: EventsOptions & { steps: true }): Live<true>;
  events(after?: number | null, options?: EventsOptions): Live<false>;
  events(after?: number | null, options: EventsOptions = {}): Live<boolean> {
    return followEvents(this.#transport, after ?? null, options) as Live<boolean>;
  }

  /** Any other endpoint. Repeated only if it is safe: a GET or DELETE, or with an idempotency key. */
  request<Answer>(call: Call): Promise<Answer> {
    return sendForJson<Answer>(this.#transport, call);
  }

  #get<Answer>(path: string, query: object, options: CallOptions): Promise<Answer> {
    return get<Answer>(this.#transport, path, query, options);
  }

  async #createTask(
    request: TaskRequest,
    options: CreateOptions,
  ): Promise<CreateTaskAnswer & { openTasks: OpenTasks | null }> {
    const body = await this.#body(request, options);
    const call = creation("/api/v1/jobs/createTask", body, options);
    return send(this.#transport, call, async (response) => ({
      ...((await response.json()) as CreateTaskAnswer),
      openTasks: readOpenTasks(response.headers),
    }));
  }

  async #body(request: TaskRequest, { signal }: CallOptions): Promise<unknown> {
    const { model, inputs, callBackUrl, maxCredits } = request;
    const taken = await takeFiles(this.#transport, this.#files, { ...inputs }, { signal });
    return { model, inputs: taken, callBackUrl, maxCredits };
  }
}

function identify({ apiKey, session }: ClientOptions): Record<string, string> {
  if (apiKey !== undefined && session !== undefined)
    throw new ZoetropeError("Give apiKey or session, not both.", { code: "no_api_key" });
  if (session !== undefined)
    return session.accountId ? { "zoetrope-account": session.accountId } : {};
  if (!apiKey) throw new ZoetropeError("apiKey is empty.", { code: "no_api_key" });
  // Checked here, since `fetch` would repeat it in its error.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new ZoetropeError(
      "apiKey is not a key: it has a space, a line end or another character that no key has.",
    );
  return { authorization: `Bearer ${apiKey}` };
}

function requireWebUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    throw new ZoetropeError("baseUrl is not a http or https URL without a user name.");
}

type Live<Steps extends boolean> = AsyncGenerator<Steps extends true ? Event | Step : Event>;

function generation(taskId: string): Followed<GenerationTask> {
  const isOver = ({ status }: GenerationTask) => status === "COMPLETED" || status === "FAILED";
  return { path: "/api/v1/jobs/queryTask", taskId, isOver };
}
