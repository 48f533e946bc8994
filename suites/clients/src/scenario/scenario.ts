import {
  ConnectionError,
  InsufficientCreditsError,
  InvalidParametersError,
  NotFoundError,
  TaskFailedError,
  TimeoutError,
  UnauthorizedError,
  WebhookError,
  Zoetrope,
} from "@zoetrope/sdk";
import type { CheckLine, Settings } from "./settings.ts";

/**
 * The client's promises in any runtime: nothing here is specific to Node, Bun, Deno or a browser.
 * Each check throws if the promise is broken.
 */
type Check = (settings: Settings) => Promise<Partial<CheckLine>>;

const checks: Readonly<Record<string, Check>> = {
  "refusals are told apart by class": distinguishRefusals,
  "creates with lost answers make one task each": createThroughFaults,
  "a stream shows the states of a task until its end": streamStates,
  "bytes are uploaded where a URL is expected": uploadBytes,
  "outputs are read as blob, stream and file": readOutputs,
  "a failed task throws its code": failTask,
  "callbacks are verified": verifyCallbacks,
  "a batch stays below the limit of the account": runBatch,
  "no other origin reaches the service from a page": callAcrossOrigins,
};

/** Reports each check as soon as it is over. They mostly wait, so they run at once; what is timed comes last. */
export async function runScenario(
  settings: Settings,
  report: (line: CheckLine) => void,
): Promise<void> {
  const run = async ([check, prove]: [string, Check]): Promise<void> => {
    const started = performance.now();
    const msSince = () => Math.round(performance.now() - started);
    try {
      report({ check, ok: true, ...(await prove(settings)), ms: msSince() });
    } catch (error) {
      report({ check, ok: false, ms: msSince(), error: describe(error) });
    }
  };
  await Promise.all(Object.entries(checks).map(run));
  await run(["waiting ends at once when it is aborted", abortWaits]);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` (${describe(error.cause)})`;
  return `${error.name}: ${error.message}${cause}`;
}

function requireThat(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`resolved with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

function usual({ baseUrl, keys }: Settings): Zoetrope {
  return new Zoetrope({ baseUrl, apiKey: keys.usual });
}

async function distinguishRefusals(settings: Settings) {
  const { baseUrl, keys } = settings;
  const client = usual(settings);
  const poor = new Zoetrope({ baseUrl, apiKey: keys.poor });
  const stranger = new Zoetrope({ baseUrl, apiKey: "zoe_live_none" });
  const request = { model: "sd2" as const, inputs: { prompt: "a fox" } };
  const cases: [() => Promise<unknown>, abstract new (...given: never[]) => Error][] = [
    [() => poor.tasks.create(request), InsufficientCreditsError],
    [() => client.tasks.get("none"), NotFoundError],
    [() => stranger.credits(), UnauthorizedError],
  ];
  for (const [call, kind] of cases) {
    const error = await rejection(call());
    requireThat(error instanceof kind, `${describe(error)} is no ${kind.name}`);
  }
  const inputs = { prompt: "a fox", duration: "99s" as const };
  const wrong = await rejection(client.quote({ model: "sd2", inputs }));
  const isNamed = wrong instanceof InvalidParametersError && wrong.param === "inputs.duration";
  requireThat(isNamed && wrong.requestId !== null, `the field is not named: ${describe(wrong)}`);
  return {};
}

async function createThroughFaults({ faultyUrl, keys, creates }: Settings) {
  const client = new Zoetrope({ baseUrl: faultyUrl, apiKey: keys.counted });
  const numbers = Array.from({ length: creates }, (_, n) => n);
  const taskIds = await Promise.all(numbers.map((n) => createOne(client, n)));
  requireThat(new Set(taskIds).size === creates, "two creates answered the same task");
  return { taskIds };
}

/** Creates a task as a program that outlives its errors would: again, with the key that the error carries. */
async function createOne(client: Zoetrope, n: number): Promise<string> {
  let idempotencyKey: string | undefined;
  for (;;)
    try {
      const inputs = { prompt: `a heron, number ${n} [sandbox:hang]` };
      const created = await client.tasks.create({ model: "sd2", inputs }, { idempotencyKey });
      return created.taskId;
    } catch (error) {
      const key = error instanceof Error && "idempotencyKey" in error ? error.idempotencyKey : null;
      if (typeof key !== "string") throw error;
      idempotencyKey = key;
    }
}

async function streamStates(settings: Settings) {
  const client = usual(settings);
  const inputs = { prompt: "a fox", resolution: "1k" as const };
  const { taskId } = await client.tasks.create({ model: "image-plus-2", inputs });
  const states: string[] = [];
  for await (const { status } of client.tasks.stream(taskId)) states.push(status);
  requireThat(states.at(-1) === "COMPLETED", `the states were ${states.join(", ")}`);
  requireThat((await client.tasks.wait(taskId)).status === "COMPLETED", "wait does not end");
  return {};
}

async function uploadBytes(settings: Settings) {
  const client = usual(settings);
  const bytes = Uint8Array.from(atob(settings.imageBase64), (char) => char.charCodeAt(0));
  const inputs = { prompt: "at night", urls: [bytes], resolution: "1k" as const };
  const before = await client.assets.list();
  const task = await client.run("image-plus-2", inputs);
  requireThat(task.files.length > 0, "the task has no file");
  const after = await client.assets.list();
  requireThat(after.items.length === before.items.length + 1, "the upload made no asset");
  requireThat(
    after.items[0]?.status === "PROCESSING",
    "the task waited for the review of its file",
  );
  return {};
}

async function readOutputs(settings: Settings) {
  const client = usual(settings);
  const states: string[] = [];
  const onProgress = ({ status }: { status: string }) => states.push(status);
  const task = await client.run("sd2", { prompt: "a heron", duration: "4s" }, { onProgress });
  requireThat(states.at(-1) === "COMPLETED", `progress was ${states.join(", ")}`);
  const [file] = task.files;
  if (file === undefined) throw new Error("the task has no file");
  const blob = await file.blob();
  const head = new TextDecoder("latin1").decode(await blob.slice(4, 8).arrayBuffer());
  requireThat(head === "ftyp", `the file begins with ${head}`);
  let streamed = 0;
  const reader = (await file.stream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    streamed += part.value.length;
  requireThat(streamed === blob.size, `the stream has ${streamed} bytes, the blob ${blob.size}`);
  if (settings.dir !== null) await file.download(`${settings.dir}/${task.taskId}.mp4`);
  return {};
}

async function failTask(settings: Settings) {
  const failing = usual(settings).run("sd2", { prompt: "a heron [sandbox:fail]" });
  const error = await rejection(failing);
  requireThat(error instanceof TaskFailedError && error.code !== "", describe(error));
  return {};
}

async function verifyCallbacks(settings: Settings) {
  const { webhooks } = usual(settings);
  const secret = "whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0";
  const body = '{"taskId":"01998b6e-2bff-7000-8000-000000000002","status":"COMPLETED"}';
  const example = { id: "msg_01998b6e-2c00-7000-8000-000000000001", timestamp: 1_767_225_600 };
  const known = await webhooks.sign(body, secret, example); // of docs/api.md
  const expected = "v1,X86uuV5wfrHjxJmzXaxcHokgxs3CcH646/GwHIfpsGg=";
  requireThat(known["webhook-signature"] === expected, "the signature is not that of the example");
  const headers = await webhooks.sign(body, secret);
  const event = await webhooks.unwrap<{ status: string }>(body, headers, secret);
  requireThat(event.status === "COMPLETED", "the event is not that of the callback");
  const forgeries = [
    () => webhooks.unwrap(`${body} `, headers, secret),
    () => webhooks.unwrap(body, headers, "whsec_b3RoZXI="),
    () => webhooks.unwrap(body, known, secret), // too old
  ];
  for (const unwrap of forgeries)
    requireThat((await rejection(unwrap())) instanceof WebhookError, "a forgery was accepted");
  return {};
}

async function runBatch({ baseUrl, keys, batch }: Settings) {
  const client = new Zoetrope({ baseUrl, apiKey: keys.limited });
  const requests = Array.from({ length: batch }, (_, n) => ({
    model: "image-plus-2" as const,
    inputs: { prompt: `a fox, number ${n}`, resolution: "1k" as const },
  }));
  const done = new Set<number>();
  for await (const result of client.batch(requests)) {
    if (result.status !== "completed") throw result.error;
    done.add(result.index);
  }
  requireThat(done.size === batch, `${done.size} of ${batch} are done`);
  return {};
}

/** A page of another site has no business with a key: the service allows no other origin. */
async function callAcrossOrigins({ foreignUrl, keys }: Settings) {
  if (foreignUrl === null) return {};
  const foreign = new Zoetrope({ baseUrl: foreignUrl, apiKey: keys.usual, retriesMax: 0 });
  const error = await rejection(foreign.credits());
  requireThat(error instanceof ConnectionError, `the answer was ${describe(error)}`);
  return {};
}

async function abortWaits(settings: Settings) {
  const client = usual(settings);
  const inputs = { prompt: "a heron [sandbox:hang]" };
  const { taskId } = await client.tasks.create({ model: "sd2", inputs });
  let abortMs = 0;
  for (let n = 0; n < settings.aborts; n++) {
    const abort = new AbortController();
    const waiting = client.tasks.wait(taskId, { signal: abort.signal });
    const ended = rejection(waiting).then((error) => ({ error, at: performance.now() }));
    await client.credits(); // meanwhile the other request has gone out, too
    const abortedAt = performance.now();
    abort.abort(new Error("enough"));
    const { error, at } = await ended;
    requireThat(error instanceof Error && error.message === "enough", describe(error));
    abortMs = Math.max(abortMs, at - abortedAt);
  }
  const late = await rejection(client.tasks.wait(taskId, { timeoutMs: 1 }));
  requireThat(late instanceof TimeoutError, `a wait without time ended with ${describe(late)}`);
  return { abortMs: Math.round(abortMs * 10) / 10 };
}
