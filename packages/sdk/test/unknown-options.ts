import { expect } from "vitest";
import type * as sdk from "../src/index.ts";
import type { GenerationTask, UpscaleTask } from "../src/types.ts";

type Api = Pick<typeof sdk, "Zoetrope" | "signWebhook">;
type Calls = Readonly<Record<string, (options: never) => unknown>>;

const baseUrl = "https://media.example.com";
const apiKey = "zoe_test_none";
const file = new Blob(["z"]);
const inputs = { prompt: "a fox" };
const request = { model: "sd2" as const, inputs };
const stored = { url: `${baseUrl}/a.png`, mediaType: "image/png", sizeBytes: 1 };
/** Calls without options; what they are given is whole. */
const without = new Set(["complete", "upscales.complete", "webhooks.unwrap"]);

/**
 * Sees that every call of a client refuses an option that it does not know, before anything is sent, and
 * that a request is sent with what the client does not know. A call that is not named here is called with
 * a text for each argument that it requires, and its options.
 */
export async function refusesUnknownOptions({ Zoetrope, signWebhook }: Api): Promise<void> {
  const sent: unknown[] = [];
  const fetching: typeof fetch = async (_url, init) => {
    sent.push(JSON.parse(String(init?.body ?? "null")));
    return Response.json({ code: "invalid_parameters" }, { status: 400 });
  };
  const client = new Zoetrope({ baseUrl, apiKey, fetch: fetching });
  const done = {
    taskId: "one",
    status: "COMPLETED",
    output: [stored],
  } as unknown as GenerationTask;
  const [output] = client.complete(done).files;
  const upscaled = { taskId: "two", status: "completed", error: null, result: stored };
  const calls: Calls = {
    run: (options) => client.run("sd2", inputs, options),
    batch: (options) => client.batch([request], options),
    quote: (options) => client.quote(request, options),
    ledger: (options) => client.ledger({}, options),
    usage: (options) => client.usage({}, options),
    events: (options) => client.events(0, options),
    request: (options: object) => client.request({ method: "GET", path: "/healthz", ...options }),
    keys: (options) => client.keys({}, options),
    "keys.create": (options) => client.keys.create({ name: "a" }, options),
    "keys.change": (options) => client.keys.change("a", {}, options),
    "tasks.create": (options) => client.tasks.create(request, options),
    "tasks.query": (options) => client.tasks.query(["a"], options),
    "tasks.list": (options) => client.tasks.list({}, options),
    "tasks.listAll": (options) => client.tasks.listAll({}, options),
    "upscales.create": (options) => client.upscales.create(file, "2k", options),
    "upscales.quote": (options) => client.upscales.quote(file, "2k", options),
    "upscales.run": (options) => client.upscales.run(file, "2k", options),
    "assets.upload": (options: object) => client.assets.upload(file, { type: "IMAGE", ...options }),
    "assets.uploadForm": (options) => client.assets.uploadForm(file, options),
    "assets.fetchUrl": (options) => client.assets.fetchUrl(baseUrl, "IMAGE", options),
    "assets.list": (options) => client.assets.list({}, options),
    "webhooks.secret": (options) => client.webhooks.secret(undefined, options),
    "webhooks.rotateSecret": (options) => client.webhooks.rotateSecret("a", {}, options),
    "webhooks.createEndpoint": (options) =>
      client.webhooks.createEndpoint({ url: baseUrl }, options),
    "webhooks.changeEndpoint": (options) => client.webhooks.changeEndpoint("a", {}, options),
    "webhooks.deliveries": (options) => client.webhooks.deliveries({}, options),
    "webhooks.test": (options) => client.webhooks.test({ url: baseUrl }, options),
    "webhooks.sign": (options) => signWebhook("{}", "whsec_YQ==", options),
  };
  const all = callsOf(client);
  expect([...all.keys()]).toEqual(expect.arrayContaining([...Object.keys(calls), ...without]));
  const others = [...all].filter(([name]) => !Object.hasOwn(calls, name) && !without.has(name));
  const simple: Calls = Object.fromEntries(
    others.map(([name, call]) => [
      name,
      (options) => call(...Array(call.length).fill("a"), options),
    ]),
  );
  const more: Calls = {
    "new Zoetrope": (options: object) => new Zoetrope({ baseUrl, apiKey, ...options }),
    session: (options: object) => new Zoetrope({ baseUrl, session: options }),
    "file.stream": (options) => output?.stream(options),
    "file.blob": (options) => output?.blob(options),
    "file.download": (options) => output?.download("/dev/null", options),
    "upscaled.download": (options) =>
      client.upscales
        .complete(upscaled as unknown as UpscaleTask)
        .file.download("/dev/null", options),
    "filters of keys": (query) => client.keys(query),
    "filters of tasks": (query) => client.tasks.list(query),
    "filters of all tasks": (query) => client.tasks.listAll(query),
    "filters of assets": (query) => client.assets.list(query),
    "filters of the ledger": (query) => client.ledger(query),
    "filters of deliveries": (query) => client.webhooks.deliveries(query),
    "filters of usage": (query) => client.usage(query),
  };
  for (const [name, call] of Object.entries({ ...simple, ...calls, ...more })) {
    const outcome = Promise.resolve({ notAnOption: 1 } as never).then(call);
    await expect(outcome, name).rejects.toMatchObject({ code: "unknown_option" });
    await expect(outcome, name).rejects.toThrow(/^notAnOption is not an option/);
  }
  expect(sent).toEqual([]);
  const misspelt = (options: object) => client.run("sd2", inputs, options);
  await expect(misspelt({ max_credits: 1 })).rejects.toThrow("Is it maxCredits?");
  await expect(misspelt({ callbackUrl: "" })).rejects.toThrow("Is it callBackUrl?");
  await expect(misspelt({ timeout: 1 })).rejects.toThrow("Is it timeoutMs?");
  await expect(misspelt({ onprogres: 1 })).rejects.toThrow("Is it onProgress?");
  const whole = { ...request, max_credits: 1 };
  const body = { max_credits: 1 };
  for (const call of [() => client.tasks.create(whole), () => client.quote(whole)]) {
    await expect(call()).rejects.toMatchObject({ status: 400 });
    expect(sent.pop()).toMatchObject(body);
  }
  const upscale = { source: `${baseUrl}/a.mp4`, targetResolution: "2k" as const };
  const misspeltUpscale = { ...upscale, max_credits: 1, callbackUrl: baseUrl };
  const isMisspelt = {
    source: upscale.source,
    target_resolution: "2k",
  } as unknown as typeof upscale;
  for (const [one, expected] of [
    [whole, body],
    [misspeltUpscale, { ...body, callbackUrl: baseUrl, targetResolution: "2k" }],
    [isMisspelt, { target_resolution: "2k" }],
  ] as const) {
    for await (const { status, taskId } of client.batch([one]))
      expect([status, taskId]).toEqual(["failed", null]);
    expect(sent.pop()).toMatchObject(expected);
  }
  const second = { taskId: "a", index: 1 };
  await expect(client.upscales.create(second, "2k")).rejects.toMatchObject({ status: 400 });
  expect(sent.pop()).toMatchObject({ source: { type: "task", ...second } });
  const ofSecond = { model: "happyhorse" as const, inputs: { prompt: "x", urls: [second] } };
  await expect(client.quote(ofSecond)).rejects.toMatchObject({ status: 400 });
  expect(sent.pop()).toMatchObject({ inputs: { urls: ["task://a/1"] } });
}

type Call = (...given: unknown[]) => unknown;

/** Every function of a client by its name, such as `run` and `tasks.create`. */
function callsOf(client: object): Map<string, Call> {
  const found = new Map<string, Call>();
  const own: Record<string, Call> = Object.getPrototypeOf(client);
  for (const name of Object.getOwnPropertyNames(own))
    if (name !== "constructor") found.set(name, (own[name] as Call).bind(client));
  for (const [group, calls] of Object.entries(client)) {
    if (typeof calls === "function") found.set(group, calls);
    for (const [name, call] of Object.entries<Call>(calls)) found.set(`${group}.${name}`, call);
  }
  return found;
}
