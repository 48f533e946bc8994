import type { FastifyReply, FastifyRequest } from "fastify";
import type { Faults } from "../../kit/faults.ts";
import type { JobStore } from "../../kit/job-store.ts";
import type { Journal } from "../../kit/journal.ts";
import { recordCreate } from "../../kit/record-create.ts";
import type { Script } from "../../kit/script.ts";
import { createTextCount, givenAnswer, spoilAnswer } from "../../kit/spoiled-answers.ts";
import { describeSubmit } from "./describe-request.ts";
import { errorBody, FalError, internalError, tooManyRequests } from "./errors.ts";
import { errorOf } from "./outcomes.ts";
import { readRequest, type UpscaleRequest } from "./read-request.ts";
import type { UpscaleJob } from "./upscale-job.ts";

export interface SubmitParts {
  jobs: JobStore<UpscaleJob>;
  faults: Faults;
  journal: Journal;
  /** Submits that came with the right key, accepted or not. */
  counts: { creates: number };
}

export const falPrefix = "/fal";

/** Returns the address at which the caller reaches this sandbox as fal. */
export function baseUrlOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}${falPrefix}`;
}

/** Handles a submit: judges it, lets the script spoil it, accepts it, and responds as scripted. */
export function createSubmit(parts: SubmitParts, model: string) {
  const { jobs, faults, journal, counts } = parts;
  const countSource = createTextCount();

  return (httpRequest: FastifyRequest, reply: FastifyReply): FastifyReply => {
    counts.creates++;
    let request: UpscaleRequest | undefined;
    try {
      request = readRequest(model, httpRequest.body);
      const { prompt } = request;
      const script = faults.take("fal") ?? {};
      refuseAsScripted(script, () => countSource(prompt));
      const job = jobs.accept(request, script);
      const outcome = { jobId: job.id, answer: givenAnswer(script) };
      recordCreate(journal, "fal", { model, prompt }, outcome);
      if (script.answer === "500") return reply.code(500).send(errorBody(internalError()));
      return spoilAnswer(reply, script) ?? reply.send(describeSubmit(job, baseUrlOf(httpRequest)));
    } catch (error) {
      if (!(error instanceof FalError)) throw error;
      const asked = { model, prompt: request?.prompt };
      recordCreate(journal, "fal", asked, { answer: error.httpStatus, code: error.code });
      throw error;
    }
  };
}

function refuseAsScripted(script: Script, countSource: () => number) {
  if (script.refuse !== undefined) throw errorOf(script.refuse);
  if (script.throttle !== undefined && countSource() <= script.throttle) throw tooManyRequests();
  if (script.answer === "lost") throw internalError();
}
