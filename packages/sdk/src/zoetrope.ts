import { newKey } from "./abort.ts";
import { assetCalls } from "./assets.ts";
import { type CreateOptions, createNames, creation, get, read, readPages, write } from "./calls.ts";
import { type OpenTasks, OutputError, TaskFailedError, ZoetropeError } from "./errors.ts";
import { type EventsOptions, eventsNames, followEvents, type Step } from "./follow-events.ts";
import {
  type Followed,
  followTask,
  persist,
  type WaitOptions,
  waitForTask,
  waitNames,
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
import { known, type Names, requireKnown } from "./known-options.ts";
import { type Output, openOutput } from "./outputs.ts";
import { queryNames } from "./query-names.ts";
import { toOwnInputs } from "./ratio-inputs.ts";
import {
  type BatchJob,
  type BatchOptions,
  type BatchResult,
  batchNames,
  runBatch,
} from "./run-batch.ts";
import { type Created, watchStages } from "./stages.ts";
import { type FileMemory, type Progress, type TakeOptions, takeFiles } from "./take-files.ts";
import {
  type Call,
  type CallOptions,
  limitTime,
  type Signalled,
  sendCreation,
  sendForJson,
  type Transport,
} from "./transport.ts";
import type {
  AnyModel,
  GenerationTask,
  InputsOf,
  ModelName,
  RequestOf,
  TaskRequest,
} from "./types.ts";
import { type CompletedUpscale, type UpscaleRequest, upscaleCalls } from "./upscales.ts";
import { webhookCalls } from "./webhook-calls.ts";

interface CommonOptions {
  /** The address of the service, such as `https://media.example.com`. Default: `ZOETROPE_BASE_URL`. */
  baseUrl?: string | undefined;
  /** The timeout of one attempt of a call. */
  timeoutMs?: number | undefined;
  retriesMax?: number | undefined;
  fetch?: typeof fetch | undefined;
}

/** Options in a page of the service itself: the browser sends the cookie of the person who is signed in. */
export interface SessionOptions {
  /** The account to act in. A person with one account need not name it. */
  accountId?: string | null | undefined;
}

/** A key, by default that of `ZOETROPE_API_KEY`, or a session. */
export type ClientOptions = CommonOptions &
  (
    | { apiKey?: string | undefined; session?: undefined }
    | { session: SessionOptions; apiKey?: undefined }
  );

export interface RunOptions extends Omit<WaitOptions<GenerationTask>, "onProgress">, CreateOptions {
  /** Called for every file that is uploaded or in review, then with every state of the task. */
  onProgress?: ((progress: Progress<GenerationTask>) => void) | undefined;
  /** Called once the task exists: a caller that aborts later can wait for it again. */
  onCreated?: ((created: Created) => void) | undefined;
  callBackUrl?: string | undefined;
  /** The most that the task may cost; above it nothing is created. */
  maxCredits?: number | undefined;
}

/**
 * A request of a batch. With an idempotency key it can be repeated after a restart: no task is made
 * twice.
 */
export type BatchRequest<Model extends AnyModel = ModelName> = TaskRequest<Model> &
  Pick<CreateOptions, "idempotencyKey">;

type OneOfBatch<Model extends AnyModel> = RequestOf<Model> & Pick<CreateOptions, "idempotencyKey">;

export type CompletedTask = GenerationTask & { files: Output[] };

const clientNames: Names<CommonOptions & Record<"apiKey" | "session", unknown>> = {
  baseUrl: true,
  apiKey: true,
  session: true,
  timeoutMs: true,
  retriesMax: true,
  fetch: true,
};
const sessionNames: Names<SessionOptions> = { accountId: true };
const runNames: Names<RunOptions> = {
  ...createNames,
  ...waitNames,
  callBackUrl: true,
  maxCredits: true,
  onCreated: true,
};
const timeoutMsUsual = 30_000;
const retriesUsual = 2;

export class Zoetrope {
  readonly #transport: Transport;
  readonly #files: FileMemory = { assets: new Map(), interrupted: new Map() };
  readonly #createUpscale: ReturnType<typeof upscaleCalls>["create"];
  readonly upscales: ReturnType<typeof upscaleCalls>["calls"];
  readonly assets: ReturnType<typeof assetCalls>;
  readonly keys: ReturnType<typeof keyCalls>;
  readonly webhooks: ReturnType<typeof webhookCalls>;

  /** Without an address or a key, those of `ZOETROPE_BASE_URL` and `ZOETROPE_API_KEY`. */
  constructor(options: ClientOptions = {}) {
    const { timeoutMs, retriesMax, fetch: given } = requireKnown(options, clientNames);
    const headers = identify(options);
    this.#transport = {
      baseUrl: requireWebUrl(options.baseUrl ?? readEnv("ZOETROPE_BASE_URL")),
      headers,
      fetch: given ?? fetch.bind(globalThis),
      timeoutMs: timeoutMs ?? timeoutMsUsual,
      retriesMax: retriesMax ?? retriesUsual,
    };
    const upscaling = upscaleCalls(this.#transport, this.#files);
    this.#createUpscale = upscaling.create;
    this.upscales = upscaling.calls;
    this.assets = assetCalls(this.#transport, this.#files);
    this.keys = keyCalls(this.#transport);
    this.webhooks = webhookCalls(this.#transport);
  }

  /** Creates a task, waits for its end and returns its files. Throws `TaskFailedError` if it failed. */
  async run<Model extends AnyModel>(
    model: Model,
    inputs: InputsOf<Model>,
    options: RunOptions = {},
  ): Promise<CompletedTask> {
    requireKnown(options, runNames);
    const { callBackUrl, maxCredits, onProgress, idempotencyKey = newKey() } = options;
    const request = { model, inputs, callBackUrl, maxCredits };
    const stages = watchStages(options, idempotencyKey);
    const { signal, end } = limitTime(options, stages.late);
    try {
      const creating = { idempotencyKey, signal, onFileProgress: stages.report };
      const { taskId } = await this.#createTask(request, creating);
      stages.create(taskId);
      const task = await this.tasks.wait(taskId, {
        signal,
        onProgress: (state) => onProgress?.({ ...state, phase: "task" }),
      });
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
    const end = output?.[0]?.expiresAt ?? Number.POSITIVE_INFINITY;
    if (end <= Date.now())
      throw new OutputError(
        `The media of task ${taskId} was deleted at ${new Date(end).toISOString()}.`,
        { code: "output_gone" },
      );
    const files = (output ?? []).map((file, at) => {
      const renew = async (signal: AbortSignal | undefined) =>
        (await this.tasks.get(taskId, { signal })).output?.[at]?.url ?? null;
      return openOutput({ fetch: this.#transport.fetch, renew }, file);
    });
    return { ...task, files };
  }

  /**
   * Runs many tasks, as many at once as the account may have; yields each as soon as it is over.
   * Takes a model and the inputs of each task, or whole requests, also such of upscales.
   */
  batch<Model extends AnyModel>(
    model: Model,
    inputs: readonly InputsOf<Model>[],
    options?: BatchOptions,
  ): AsyncGenerator<BatchResult<CompletedTask>>;
  batch<Model extends AnyModel>(
    requests: readonly OneOfBatch<Model>[],
    options?: BatchOptions,
  ): AsyncGenerator<BatchResult<CompletedTask>>;
  batch(
    requests: readonly UpscaleRequest[],
    options?: BatchOptions,
  ): AsyncGenerator<BatchResult<CompletedUpscale>>;
  batch(
    requests: readonly (BatchRequest | UpscaleRequest)[],
    options?: BatchOptions,
  ): AsyncGenerator<BatchResult<CompletedTask | CompletedUpscale>>;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads say which results belong to which requests
  batch(...args: readonly any[]): AsyncGenerator<BatchResult<any>> {
    const [first, second, third] = args;
    const isOfOne = typeof first === "string";
    const given = isOfOne ? second : first;
    if (!Array.isArray(given))
      throw new ZoetropeError("batch takes a list of requests, or a model and a list of inputs.");
    const requests: readonly (OneOfBatch<string> | UpscaleRequest)[] = isOfOne
      ? given.map((inputs: Record<string, unknown>) => ({ model: first, inputs }))
      : given;
    const options: BatchOptions = requireKnown((isOfOne ? third : second) ?? {}, batchNames);
    return runBatch(
      requests.map((request, index) => this.#jobOf(request, index, options)),
      options,
    );
  }

  #jobOf(
    { idempotencyKey: own, ...request }: OneOfBatch<string> | UpscaleRequest,
    index: number,
    { idempotencyKey: shared, onProgress: onBatchProgress }: BatchOptions,
  ): BatchJob<CompletedTask | CompletedUpscale> {
    // One for all tries of this request.
    const idempotencyKey = own ?? (shared === undefined ? newKey() : `${shared}-${index}`);
    return async (signal, onCreated) => {
      const creating = { idempotencyKey, signal };
      const onProgress = ({ taskId, status }: { taskId: string; status: string }) =>
        onBatchProgress?.({ index, taskId, status });
      if (!isUpscale(request)) {
        const { taskId, openTasks } = await persist(signal, () =>
          this.#createTask(request, creating),
        );
        onCreated(taskId, openTasks);
        const task = await this.tasks.wait(taskId, { signal, onProgress });
        return this.complete(task, idempotencyKey);
      }
      const { taskId, openTasks } = await persist(signal, () =>
        this.#createUpscale(request, creating),
      );
      onCreated(taskId, openTasks);
      const task = await this.upscales.wait(taskId, { signal, onProgress });
      return this.upscales.complete(task, idempotencyKey);
    };
  }

  readonly tasks = {
    create: async <Model extends AnyModel>(
      request: RequestOf<Model>,
      options: CreateOptions = {},
    ): Promise<CreateTaskAnswer> => {
      const { taskId } = await this.#createTask(request, requireKnown(options, createNames));
      return { taskId };
    },
    get: (taskId: string, options: CallOptions = {}): Promise<GenerationTask> =>
      this.#get("/api/v1/jobs/queryTask", { taskId }, options),
    wait: (taskId: string, options: WaitOptions<GenerationTask> = {}): Promise<GenerationTask> =>
      waitForTask(this.#transport, generation(taskId), options),
    stream: (taskId: string, options: Signalled = {}): AsyncGenerator<GenerationTask> =>
      followTask(this.#transport, generation(taskId), requireKnown(options, known.signalled)),
    /** Up to 100 tasks of both kinds at once. */
    query: (taskIds: readonly string[], options: CallOptions = {}): Promise<QueryTasksAnswer> =>
      read(this.#transport, "/api/v1/jobs/query", { taskIds }, options),
    /** A page of tasks of both kinds, newest first. */
    list: async (query: ListTasksQuery = {}, options: CallOptions = {}): Promise<ListTasksAnswer> =>
      this.#get("/api/v1/jobs/list", requireKnown(query, queryNames.listTasks), options),
    /** Every task that the filters let through, newest first. */
    listAll: (query: Omit<ListTasksQuery, "cursor"> = {}, options: CallOptions = {}) => {
      requireKnown(query, queryNames.listTasks);
      requireKnown(options, known.call);
      return readPages((cursor: string | null) =>
        this.tasks.list({ ...query, cursor: cursor ?? undefined }, options),
      );
    },
    /** Returns the events of a task with their times, with waiting and working time separated. */
    timeline: (taskId: string, options: CallOptions = {}): Promise<ReadTimelineAnswer> =>
      this.#get("/api/v1/jobs/timeline", { taskId }, options),
    /** Returns the inputs with which a task was created; they make the same again. */
    request: (taskId: string, options: CallOptions = {}): Promise<ReadRequestAnswer> =>
      this.#get("/api/v1/jobs/request", { taskId }, options),
    deleteMedia: (taskId: string, options: CallOptions = {}): Promise<DeleteMediaAnswer> => {
      const call = { method: "DELETE" as const, path: "/api/v1/jobs/media", query: { taskId } };
      return write(this.#transport, call, options);
    },
  };

  async quote<Model extends AnyModel>(
    request: RequestOf<Model>,
    options: CallOptions = {},
  ): Promise<QuoteTaskAnswer> {
    const { signal } = requireKnown(options, known.call);
    const body = await this.#body(request, { signal, until: "stored" });
    return read(this.#transport, "/api/v1/jobs/quote", body, options);
  }

  models(options: CallOptions = {}): Promise<ListModelsAnswer> {
    return this.#get("/api/v1/models", {}, options);
  }

  credits(options: CallOptions = {}): Promise<ReadCreditsAnswer> {
    return this.#get("/api/v1/account/credits", {}, options);
  }

  async ledger(
    query: Partial<ReadLedgerQuery> = {},
    options: CallOptions = {},
  ): Promise<ReadLedgerAnswer> {
    return this.#get("/api/v1/account/ledger", requireKnown(query, queryNames.readLedger), options);
  }

  /** The API key that this client calls with: its limits, and what its budget leaves. */
  key(options: CallOptions = {}): Promise<Key> {
    return this.#get("/api/v1/account/key", {}, options);
  }

  /** Returns the cost of ended tasks by hour, day or month. */
  async usage(query: ReadUsageQuery = {}, options: CallOptions = {}): Promise<ReadUsageAnswer> {
    return this.#get("/api/v1/account/usage", requireKnown(query, queryNames.readUsage), options);
  }

  /**
   * Yields the ends of all tasks, in order, each once, as they happen, until `signal` is aborted.
   * With `after` it begins behind that number, without it now. Keep the last `number` to resume
   * another time.
   */
  events(after: number | null | undefined, options: EventsOptions & { steps: true }): Live<true>;
  events(after?: number | null, options?: EventsOptions): Live<false>;
  events(after?: number | null, options: EventsOptions = {}): Live<boolean> {
    requireKnown(options, eventsNames);
    return followEvents(this.#transport, after ?? null, options) as Live<boolean>;
  }

  /** Any other endpoint. Repeated only if it is safe: a GET or DELETE, or with an idempotency key. */
  async request<Answer>(call: Call): Promise<Answer> {
    return sendForJson<Answer>(this.#transport, requireKnown(call, known.request));
  }

  #get<Answer>(path: string, query: object, options: CallOptions): Promise<Answer> {
    return get<Answer>(this.#transport, path, query, options);
  }

  async #createTask(
    request: RequestOf<string>,
    options: CreateOptions & Pick<TakeOptions, "onFileProgress">,
  ): Promise<CreateTaskAnswer & { openTasks: OpenTasks | null }> {
    const { signal, onFileProgress } = options;
    const until = { usableBy: request?.model };
    const body = await this.#body(request, { signal, onFileProgress, until });
    const call = creation("/api/v1/jobs/createTask", body, options);
    return sendCreation(this.#transport, call);
  }

  async #body(request: RequestOf<string>, options: TakeOptions): Promise<unknown> {
    if (typeof request?.inputs !== "object" || request.inputs === null)
      throw new ZoetropeError(
        'A request is { model, inputs }, with inputs such as { prompt: "…" }.',
      );
    const inputs = toOwnInputs(request.model, request.inputs);
    const taken = await takeFiles(this.#transport, this.#files, inputs, options);
    return { ...request, inputs: taken }; // also what is unknown here: the service names it
  }
}

function identify({ apiKey, session }: ClientOptions): Record<string, string> {
  if (apiKey !== undefined && session !== undefined)
    throw new ZoetropeError("Give apiKey or session, not both.", { code: "no_api_key" });
  if (session !== undefined) {
    const { accountId } = requireKnown(session, sessionNames);
    return accountId ? { "zoetrope-account": accountId } : {};
  }
  const key = apiKey ?? readEnv("ZOETROPE_API_KEY");
  if (!key)
    throw new ZoetropeError("apiKey is empty. Give it, or set ZOETROPE_API_KEY.", {
      code: "no_api_key",
    });
  // Checked here, since `fetch` would repeat it in its error.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ZoetropeError(
      "apiKey is not a key: it has a space, a line end or another character that no key has.",
    );
  return { authorization: `Bearer ${key}` };
}

/** There is no `process` in browsers and some edge workers. */
function readEnv(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

/** The address without a slash or `/api/v1` at its end. */
function requireWebUrl(baseUrl: string | undefined): string {
  if (!baseUrl)
    throw new ZoetropeError("baseUrl is empty. Give it, or set ZOETROPE_BASE_URL.", {
      code: "no_base_url",
    });
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    throw new ZoetropeError("baseUrl is not a http or https URL without a user name.");
  return baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

/** One of them is enough: the service says what is missing. */
function isUpscale(request: object): request is Omit<UpscaleRequest, "idempotencyKey"> {
  return "source" in request || "targetResolution" in request;
}

type Live<Steps extends boolean> = AsyncGenerator<Steps extends true ? Event | Step : Event>;

function generation(taskId: string): Followed<GenerationTask> {
  const isOver = ({ status }: GenerationTask) => status === "COMPLETED" || status === "FAILED";
  return { path: "/api/v1/jobs/queryTask", taskId, isOver };
}
