import type { FastifyReply } from "fastify";
import type { Faults } from "../../kit/faults.ts";
import { InputError } from "../../kit/input-error.ts";
import type { Journal } from "../../kit/journal.ts";
import type { RateLimit } from "../../kit/rate-limit.ts";
import type { Schedule } from "../../kit/schedule.ts";
import { readScript, type Script, UnknownWordError } from "../../kit/script.ts";
import {
  createTextCount,
  type Given,
  givenAnswer,
  spoilAnswer,
} from "../../kit/spoiled-answers.ts";
import { type Answer, RefusalError } from "./answer.ts";
import type { ImageSpec } from "./image-recipe.ts";
import type { ImageStore } from "./image-store.ts";
import type { Reference } from "./read-reference.ts";

/** A valid request for images, which are the answer to it. */
export interface Order {
  model: string;
  /** As it was sent. */
  prompt: string;
  /** The caller's own end user, if it names one. */
  user: string | null;
  /** Throws InputError or RefusalError. */
  fetchInputs(stopping: AbortSignal): Promise<Buffer[]>;
  imagesOf(script: Script): Omit<ImageSpec, "references">[];
  /** The answer with these images, in the order of `imagesOf`. */
  present(images: Buffer[], script: Script): Answer;
}

/** How a vendor says what goes wrong. */
export interface Tongue {
  vendor: "openai" | "gemini";
  /** A neutral outcome or a code of the vendor's own; undefined when it has no such answer. */
  outcome(name: string, stage: "refuse" | "fail", detail?: string): Answer | undefined;
  throttled(waitMs: number): Answer;
  invalidPrompt(message: string): Answer;
  internal(): Answer;
}

export interface OrderParts {
  images: ImageStore;
  faults: Faults;
  journal: Journal;
  schedule: Schedule;
  /** How long an answer takes if nothing else is scripted. */
  imageMs: number;
  /** Orders that came with the right key, accepted or not. */
  counts: { creates: number; accepted: number };
  stopping: AbortSignal;
}

export type TakeOrder = (reply: FastifyReply, read: () => Order) => Promise<FastifyReply>;

const scriptedWaitMs = 500;
const noImage = Buffer.from("These bytes are no image.\n".repeat(400));

interface Desk extends OrderParts {
  tongue: Tongue;
  countPrompt: (prompt: string) => number;
}

/** The one call of a synchronous vendor: judge, let the script spoil, accept, paint and answer. */
export function createTakeOrder(parts: OrderParts, tongue: Tongue, limit?: RateLimit): TakeOrder {
  const desk: Desk = { ...parts, tongue, countPrompt: createTextCount() };
  return async (reply, read) => {
    desk.counts.creates++;
    let order: Order | undefined;
    try {
      order = read();
      const waitMs = limit?.take() ?? 0;
      if (waitMs > 0) throw new RefusalError(tongue.throttled(waitMs));
      const inputs = await order.fetchInputs(desk.stopping);
      const references = await desk.images.readReferences(inputs);
      return await fulfil(desk, reply, order, references, scriptOf(desk, order.prompt));
    } catch (error) {
      const refusal = refusalOf(error, tongue);
      if (!refusal) throw error;
      record(desk, order, { accepted: false, answer: refusal.httpStatus, code: refusal.code });
      return send(reply, refusal);
    }
  };
}

/** Throws RefusalError when the script is a slip or orders a refusal. */
function scriptOf({ tongue, faults, countPrompt }: Desk, prompt: string): Script {
  const script = { ...readWords(prompt, tongue), ...faults.take(tongue.vendor) };
  if (script.refuse !== undefined) {
    throw new RefusalError(scripted(tongue, script.refuse, "refuse"));
  }
  if (script.throttle !== undefined && countPrompt(prompt) <= script.throttle) {
    throw new RefusalError(tongue.throttled(scriptedWaitMs));
  }
  if (script.answer === "lost") throw new RefusalError(tongue.internal());
  return script;
}

/** From here on the order is accepted: whatever its caller gets to see, it counts as made. */
async function fulfil(
  desk: Desk,
  reply: FastifyReply,
  order: Order,
  references: Reference[],
  script: Script,
): Promise<FastifyReply> {
  const { tongue, schedule, counts } = desk;
  const failure = script.fail === undefined ? undefined : scripted(tongue, script.fail, "fail");
  counts.accepted++;
  const answer = script.hang ? "timeout" : (failure?.httpStatus ?? givenAnswer(script));
  record(desk, order, { accepted: true, answer, code: failure?.code ?? null });
  if (script.hang) return reply.hijack(); // silent until the caller or stop() closes the socket
  const isSpoiled = script.answer !== undefined || failure !== undefined;
  const made = isSpoiled ? undefined : make(desk, order, references, script);
  const delayMs = script.runningMs ?? desk.imageMs;
  const delay = new Promise<void>((resolve) => schedule.after(delayMs, resolve));
  const [image] = await Promise.all([made, delay]);
  return spoilAnswer(reply, script) ?? send(reply, image ?? failure ?? tongue.internal());
}

async function make(desk: Desk, order: Order, references: Reference[], script: Script) {
  const images = order
    .imagesOf(script)
    .map((spec) =>
      script.video === "badvideo" ? noImage : desk.images.obtain({ ...spec, references }),
    );
  return order.present(await Promise.all(images), script);
}

interface Outcome {
  accepted: boolean;
  answer: Given;
  code: string | null;
}

function record({ journal, tongue }: Desk, order: Order | undefined, outcome: Outcome) {
  const { model = null, prompt = null, user = null } = order ?? {};
  const { vendor } = tongue;
  const none = { jobId: null, callbackUrl: null, safetyIdentifier: null };
  journal.write({ event: "create", vendor, ...outcome, model, prompt, user, ...none });
}

function readWords(prompt: string, tongue: Tongue): Script {
  try {
    return readScript(prompt);
  } catch (error) {
    if (!(error instanceof UnknownWordError)) throw error;
    throw new RefusalError(tongue.invalidPrompt(error.message));
  }
}

/** What a script orders. Throws RefusalError for a code that this vendor does not have: a slip. */
function scripted(tongue: Tongue, outcome: string, stage: "refuse" | "fail"): Answer {
  const answer = tongue.outcome(outcome, stage);
  if (answer) return answer;
  const slip = `[sandbox:${stage}=${outcome}] is no outcome of the sandbox's ${tongue.vendor}.`;
  throw new RefusalError(tongue.invalidPrompt(slip));
}

function refusalOf(error: unknown, tongue: Tongue): Answer | undefined {
  if (error instanceof RefusalError) return error.answer;
  if (!(error instanceof InputError)) return undefined;
  return tongue.outcome(error.outcome, "refuse", error.message);
}

export function send(reply: FastifyReply, { httpStatus, headers = {}, body }: Answer) {
  return reply.code(httpStatus).headers(headers).send(body);
}
