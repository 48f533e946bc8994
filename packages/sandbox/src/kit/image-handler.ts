import type { FastifyReply } from "fastify";
import type { ImageStore } from "../render/image/image-store.ts";
import type { ImageSpec } from "../render/image/render-image.ts";
import type { Reference } from "../render/video/read-media.ts";
import type { Faults } from "./faults.ts";
import { type Answer, RefusalError } from "./image-answer.ts";
import { InputError } from "./input-error.ts";
import type { FetchInput } from "./inputs.ts";
import type { Journal } from "./journal.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Schedule } from "./schedule.ts";
import { readScript, type Script, UnknownDirectiveError } from "./script.ts";
import { createTextCount, type Given, givenAnswer, spoilAnswer } from "./spoiled-answers.ts";

/** A valid request for images, which are returned in its response. */
export interface ImageRequest {
  model: string;
  /** The prompt as it was sent. */
  prompt: string;
  /** The caller's own end user, if it names one. */
  user: string | null;
  /** Throws InputError or RefusalError. */
  fetchInputs(fetchInput: FetchInput): Promise<Buffer[]>;
  imagesOf(script: Script): Omit<ImageSpec, "references">[];
  /** Returns the response with these images, in the order of `imagesOf`. */
  present(images: Buffer[], script: Script): Answer;
}

/** A vendor's responses for errors. */
export interface VendorErrors {
  vendor: "openai" | "gemini";
  /**
   * Returns the response for a neutral outcome or a vendor's own code; undefined when it has no
   * such response.
   */
  outcome(name: string, stage: "refuse" | "fail", detail?: string): Answer | undefined;
  throttled(waitMs: number): Answer;
  invalidPrompt(message: string): Answer;
  internal(): Answer;
}

export interface ImageParts {
  images: ImageStore;
  faults: Faults;
  journal: Journal;
  schedule: Schedule;
  /** The time that a response takes if nothing else is scripted. */
  imageMs: number;
  /** Requests with the right key, accepted or not. */
  counts: { creates: number; accepted: number };
  fetchInput: FetchInput;
}

export type ImageHandler = (reply: FastifyReply, read: () => ImageRequest) => Promise<FastifyReply>;

const scriptedWaitMs = 500;
const noImage = Buffer.from("These bytes are no image.\n".repeat(400));

interface HandlerParts extends ImageParts {
  errors: VendorErrors;
  countPrompt: (prompt: string) => number;
}

/**
 * Creates the handler of a synchronous vendor's one call: judge, let the script spoil, accept,
 * paint and respond.
 */
export function createImageHandler(
  parts: ImageParts,
  errors: VendorErrors,
  limit?: RateLimit,
): ImageHandler {
  const own: HandlerParts = { ...parts, errors, countPrompt: createTextCount() };
  return async (reply, read) => {
    own.counts.creates++;
    let request: ImageRequest | undefined;
    try {
      request = read();
      const waitMs = limit?.take() ?? 0;
      if (waitMs > 0) throw new RefusalError(errors.throttled(waitMs));
      const inputs = await request.fetchInputs(own.fetchInput);
      const references = await own.images.readReferences(inputs);
      return await fulfil(own, reply, request, references, scriptOf(own, request.prompt));
    } catch (error) {
      const refusal = refusalOf(error, errors);
      if (!refusal) throw error;
      record(own, request, { accepted: false, answer: refusal.httpStatus, code: refusal.code });
      return send(reply, refusal);
    }
  };
}

/** Throws RefusalError when the script is misspelt or asks for a refusal. */
function scriptOf({ errors, faults, countPrompt }: HandlerParts, prompt: string): Script {
  const script = { ...readDirectives(prompt, errors), ...faults.take(errors.vendor) };
  if (script.refuse !== undefined) {
    throw new RefusalError(scripted(errors, script.refuse, "refuse"));
  }
  if (script.throttle !== undefined && countPrompt(prompt) <= script.throttle) {
    throw new RefusalError(errors.throttled(scriptedWaitMs));
  }
  if (script.answer === "lost") throw new RefusalError(errors.internal());
  return script;
}

/** Completes an accepted request: whatever its caller receives, it counts as made. */
async function fulfil(
  own: HandlerParts,
  reply: FastifyReply,
  request: ImageRequest,
  references: Reference[],
  script: Script,
): Promise<FastifyReply> {
  const { errors, schedule, counts } = own;
  const failure = script.fail === undefined ? undefined : scripted(errors, script.fail, "fail");
  counts.accepted++;
  const answer = script.hang ? "timeout" : (failure?.httpStatus ?? givenAnswer(script));
  record(own, request, { accepted: true, answer, code: failure?.code ?? null });
  if (script.hang) return reply.hijack(); // silent until the caller or stop() closes the socket
  const isSpoiled = script.answer !== undefined || failure !== undefined;
  const made = isSpoiled ? undefined : make(own, request, references, script);
  const delayMs = script.runningMs ?? own.imageMs;
  const delay = new Promise<void>((resolve) => schedule.after(delayMs, resolve));
  const [image] = await Promise.all([made, delay]);
  return spoilAnswer(reply, script) ?? send(reply, image ?? failure ?? errors.internal());
}

async function make(
  own: HandlerParts,
  request: ImageRequest,
  references: Reference[],
  script: Script,
) {
  const images = request
    .imagesOf(script)
    .map((spec) =>
      script.video === "badvideo" ? noImage : own.images.obtain({ ...spec, references }),
    );
  return request.present(await Promise.all(images), script);
}

interface Outcome {
  accepted: boolean;
  answer: Given;
  code: string | null;
}

function record(
  { journal, errors }: HandlerParts,
  request: ImageRequest | undefined,
  outcome: Outcome,
) {
  const { model = null, prompt = null, user = null } = request ?? {};
  const { vendor } = errors;
  const none = { jobId: null, callbackUrl: null, safetyIdentifier: null };
  journal.write({ event: "create", vendor, ...outcome, model, prompt, user, ...none });
}

function readDirectives(prompt: string, errors: VendorErrors): Script {
  try {
    return readScript(prompt);
  } catch (error) {
    if (!(error instanceof UnknownDirectiveError)) throw error;
    throw new RefusalError(errors.invalidPrompt(error.message));
  }
}

/**
 * Returns the response that a script requests. Throws RefusalError for a code that this vendor does
 * not have.
 */
function scripted(errors: VendorErrors, outcome: string, stage: "refuse" | "fail"): Answer {
  const answer = errors.outcome(outcome, stage);
  if (answer) return answer;
  const slip = `[sandbox:${stage}=${outcome}] is no outcome of the sandbox's ${errors.vendor}.`;
  throw new RefusalError(errors.invalidPrompt(slip));
}

function refusalOf(error: unknown, errors: VendorErrors): Answer | undefined {
  if (error instanceof RefusalError) return error.answer;
  if (!(error instanceof InputError)) return undefined;
  return errors.outcome(error.outcome, "refuse", error.message);
}

export function send(reply: FastifyReply, { httpStatus, headers = {}, body }: Answer) {
  return reply.code(httpStatus).headers(headers).send(body);
}
