import { TaskFailedError, ZoetropeError } from "./errors.ts";
import { type Followed, streamTask, type WaitOptions, waitForTask } from "./follow-task.ts";
import type {
  CreateTaskAnswer,
  CreateUpscaleAnswer,
  DeleteAssetAnswer,
  DeleteMediaAnswer,
  ListAssetsAnswer,
  ListAssetsQuery,
  ListKeysAnswer,
  ListKeysQuery,
  ListModelsAnswer,
  ListTasksAnswer,
  ListTasksQuery,
  QueryTasksAnswer,
  QuoteTaskAnswer,
  ReadCreditsAnswer,
  ReadEventsAnswer,
  ReadLedgerAnswer,
  ReadLedgerQuery,
  ReadTimelineAnswer,
  ReadUsageAnswer,
  ReadUsageQuery,
} from "./generated.ts";
import { type Output, openOutput } from "./outputs.ts";
import { type BatchOptions, type BatchResult, runBatch } from "./run-batch.ts";
import { type FileMemory, takeFiles, waitForAsset } from "./take-files.ts";
import { type Call, type CallOptions, sendForJson, type Transport } from "./transport.ts";
import type {
  Asset,
  AssetType,
  GenerationTask,
  InputsOf,
  ModelName,
  TargetResolution,
  TaskRequest,
  UpscaleTask,
} from "./types.ts";
import { type FileLike, isFileLike, type UploadOptions, uploadFile } from "./upload-file.ts";
import { signWebhook, unwrapWebhook } from "./webhooks.ts";

export interface ClientOptions {
  /** Where the service is, such as `https://media.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Of one attempt of a call. */
  timeoutMs?: number;
  retriesMax?: number;
  fetch?: typeof fetch;
}

export interface CreateOptions extends CallOptions {
  /** One is made for every call; give your own to repeat a call after your program was restarted. */
  idempotencyKey?: string | undefined;
}

export interface RunOptions extends WaitOptions<GenerationTask>, CreateOptions {
  callBackUrl?: string | undefined;
  maxCredits?: number | undefined;
}

/** With a key of its own, a batch can be repeated after a restart: no task is made twice. */
export type BatchRequest = TaskRequest & Pick<CreateOptions, "idempotencyKey">;

export type CompletedTask = GenerationTask & { files: Output[] };

const timeoutMsUsual = 30_000;
const retriesUsual = 2;
const eventsPerPage = 100;

export class Zoetrope {
  readonly #transport: Transport;
  readonly #files: FileMemory = new Map();

  constructor({ baseUrl, apiKey, timeoutMs, retriesMax, fetch: given }: ClientOptions) {
    if (apiKey === "") throw new ZoetropeError("apiKey is empty.");
    this.#transport = {
      baseUrl: baseUrl.replace(/\/+$/, ""),
      apiKey,
      fetch: given ?? fetch.bind(globalThis),
      timeoutMs: timeoutMs ?? timeoutMsUsual,
      retriesMax: retriesMax ?? retriesUsual,
    };
  }

  /** Creates a task, waits for its end and answers its files. Throws `TaskFailedError` if it failed. */
  async run<Model extends ModelName>(
    model: Model,
    inputs: InputsOf<Model>,
    options: RunOptions = {},
  ): Promise<CompletedTask> {
    const { callBackUrl, maxCredits, idempotencyKey, signal } = options;
    const request = { model, inputs, callBackUrl, maxCredits };
    const { taskId } = await this.tasks.create(request, { idempotencyKey, signal });
    return this.complete(await this.tasks.wait(taskId, options));
  }

  /** The files of a task that is over. Throws `TaskFailedError` if it failed. */
  complete(task: GenerationTask): CompletedTask {
    if (task.status !== "COMPLETED")
      throw new TaskFailedError(task, {
        code: task.errorCode ?? "not_over",
        message: task.error ?? `Task ${task.taskId} is ${task.status}.`,
      });
    const files = (task.output ?? []).map((file) => openOutput(this.#transport.fetch, file));
    return { ...task, files };
  }

  /** Runs many tasks, as many at once as the account may have; answers each as soon as it is over. */
  batch(
    requests: readonly BatchRequest[],
    options: BatchOptions = {},
  ): AsyncGenerator<BatchResult<CompletedTask>> {
    const jobs = requests.map(({ model, inputs, ...rest }) => {
      const { idempotencyKey = crypto.randomUUID() } = rest; // one for all tries of this request
      return (signal: AbortSignal | undefined) =>
        this.run(model, inputs, { ...rest, idempotencyKey, signal });
    });
    return runBatch(jobs, options);
  }

  readonly tasks = {
    create: async (request: TaskRequest, options: CreateOptions = {}): Promise<CreateTaskAnswer> =>
      this.#create("/api/v1/jobs/createTask", await this.#body(request, options), options),
    get: (taskId: string, options: CallOptions = {}): Promise<GenerationTask> =>
      this.#get("/api/v1/jobs/queryTask", { taskId }, options),
    wait: (taskId: string, options: WaitOptions<GenerationTask> = {}): Promise<GenerationTask> =>
      waitForTask(this.#transport, generation(taskId), options),
    stream: (taskId: string, options: CallOptions = {}): AsyncGenerator<GenerationTask> =>
      streamTask(this.#transport, generation(taskId), options),
    /** Up to 100 tasks of both kinds at once. */
    query: (taskIds: readonly string[], options: CallOptions = {}): Promise<QueryTasksAnswer> =>
      this.#read("/api/v1/jobs/query", { taskIds }, options),
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
    deleteMedia: (taskId: string, options: CallOptions = {}): Promise<DeleteMediaAnswer> =>
      this.#send({ method: "DELETE", path: "/api/v1/jobs/media", query: { taskId }, ...options }),
  };

  readonly upscales = {
    create: async (
      source: string | FileLike,
      targetResolution: TargetResolution,
      options: CreateOptions & { callBackUrl?: string } = {},
    ): Promise<CreateUpscaleAnswer> => {
      const { callBackUrl } = options;
      const named = await this.#source(source, options);
      const body = { source: named, targetResolution, ...(callBackUrl ? { callBackUrl } : {}) };
      return this.#create("/api/v1/upscale/create", body, options);
    },
    get: (taskId: string, options: CallOptions = {}): Promise<UpscaleTask> =>
      this.#get("/api/v1/upscale/query", { taskId }, options),
    wait: (taskId: string, options: WaitOptions<UpscaleTask> = {}): Promise<UpscaleTask> =>
      waitForTask(this.#transport, upscale(taskId), options),
    stream: (taskId: string, options: CallOptions = {}): AsyncGenerator<UpscaleTask> =>
      streamTask(this.#transport, upscale(taskId), options),
  };

  readonly assets = {
    upload: (file: FileLike, options: UploadOptions): Promise<Asset> =>
      uploadFile(this.#transport, file, options),
    fetchUrl: (
      url: string,
      type: AssetType,
      options: CallOptions & { name?: string } = {},
    ): Promise<Asset> => {
      const { name, ...rest } = options;
      const body = { url, type, ...(name === undefined ? {} : { name }) };
      return this.#send({ method: "POST", path: "/api/v1/assets/upload", body, ...rest });
    },
    get: (assetId: number | string, options: CallOptions = {}): Promise<Asset> =>
      this.#get("/api/v1/assets/status", { assetId }, options),
    /** Until its review is over. */
    wait: async (assetId: number | string, options: CallOptions = {}): Promise<Asset> =>
      waitForAsset(this.#transport, await this.assets.get(assetId, options), options),
    list: (query: Partial<ListAssetsQuery> = {}, options: CallOptions = {}) =>
      this.#get<ListAssetsAnswer>("/api/v1/assets/list", query, options),
    delete: (assetId: number | string, options: CallOptions = {}): Promise<DeleteAssetAnswer> =>
      this.#send({ method: "DELETE", path: "/api/v1/assets", query: { assetId }, ...options }),
  };

  readonly webhooks = { unwrap: unwrapWebhook, sign: signWebhook };

  async quote<Model extends ModelName>(
    request: TaskRequest<Model>,
    options: CallOptions = {},
  ): Promise<QuoteTaskAnswer> {
    return this.#read("/api/v1/jobs/quote", await this.#body(request, options), options);
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

  /** A page of the account's API keys, newest first, with their limits and last use. */
  keys(query: ListKeysQuery = {}, options: CallOptions = {}): Promise<ListKeysAnswer> {
    return this.#get("/api/v1/account/keys", query, options);
  }

  /** What ended tasks cost, by hour, day or month. */
  usage(query: ReadUsageQuery = {}, options: CallOptions = {}): Promise<ReadUsageAnswer> {
    return this.#get("/api/v1/account/usage", query, options);
  }

  /** Every event after the given number, in order, until there is none. Keep the last `number`. */
  async *events(after = 0, options: CallOptions = {}) {
    for (let from = after; ; ) {
      const query = { after: from, limit: eventsPerPage };
      const page = await this.#get<ReadEventsAnswer>("/api/v1/events", query, options);
      yield* page.events;
      if (!page.hasMore) return;
      from = page.next;
    }
  }

  /** Any other call of the API, with the same retries and errors. */
  request<Answer>(call: Call): Promise<Answer> {
    return this.#send(call);
  }

  #send<Answer>(call: Call): Promise<Answer> {
    return sendForJson<Answer>(this.#transport, call);
  }

  #get<Answer>(path: string, query: object, { signal, timeoutMs }: CallOptions): Promise<Answer> {
    return this.#send({ method: "GET", path, query: { ...query }, signal, timeoutMs });
  }

  /** A POST without an effect: it may be repeated. */
  #read<Answer>(path: string, body: unknown, options: CallOptions): Promise<Answer> {
    return this.#send({ method: "POST", path, body, isRead: true, ...options });
  }

  #create<Answer>(path: string, body: unknown, options: CreateOptions): Promise<Answer> {
    const { signal, timeoutMs, idempotencyKey = crypto.randomUUID() } = options;
    return this.#send({ method: "POST", path, body, idempotencyKey, signal, timeoutMs });
  }

  async #body({ model, inputs, ...rest }: TaskRequest, options: CallOptions): Promise<unknown> {
    const taken = await takeFiles(this.#transport, this.#files, { ...inputs }, options);
    return { model, inputs: taken, ...rest };
  }

  async #source(source: string | FileLike, { signal }: CallOptions): Promise<unknown> {
    if (!isFileLike(source)) return { type: "url", url: source };
    const { storageUrl } = await uploadFile(this.#transport, source, { type: "VIDEO", signal });
    return { type: "uploadId", storageUrl };
  }
}

async function* readPages<Item>(
  read: (cursor: string | null) => Promise<{ items: Item[]; nextCursor: string | null }>,
): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page: { items: Item[]; nextCursor: string | null } = await read(cursor);
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function generation(taskId: string): Followed<GenerationTask> {
  const isOver = ({ status }: GenerationTask) => status === "COMPLETED" || status === "FAILED";
  return { path: "/api/v1/jobs/queryTask", taskId, isOver };
}

function upscale(taskId: string): Followed<UpscaleTask> {
  const isOver = ({ status }: UpscaleTask) => status === "completed" || status === "failed";
  return { path: "/api/v1/upscale/query", taskId, isOver };
}
