import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Faults } from "../../kit/faults.ts";
import type { JobStore } from "../../kit/job-store.ts";
import type { Journal } from "../../kit/journal.ts";
import { recordCreate } from "../../kit/record-create.ts";
import { readScript, type Script, UnknownDirectiveError } from "../../kit/script.ts";
import { createTextCount, givenAnswer, spoilAnswer } from "../../kit/spoiled-answers.ts";
import type { DashScopeJob } from "./dashscope-job.ts";
import {
  DashScopeError,
  errorBody,
  internalError,
  invalidParameter,
  rateExceeded,
} from "./errors.ts";
import { errorOf } from "./outcomes.ts";
import { type DashScopeRequest, readRequest } from "./read-request.ts";

export interface CreateParts {
  jobs: JobStore<DashScopeJob>;
  faults: Faults;
  journal: Journal;
  /** Creates that came with the right key, accepted or not. */
  counts: { creates: number };
}

/** Handles a create: judges it, lets the script spoil it, accepts it, and responds as scripted. */
export function createCreateTask({ jobs, faults, journal, counts }: CreateParts) {
  const countPrompt = createTextCount();

  return (httpRequest: FastifyRequest, reply: FastifyReply): FastifyReply => {
    counts.creates++;
    const requestId = randomUUID();
    let request: DashScopeRequest | undefined;
    try {
      checkIsAsync(httpRequest);
      request = readRequest(httpRequest.body, requestId);
      const { prompt } = request;
      const script = { ...scriptOf(prompt), ...faults.take("dashscope") };
      refuseAsScripted(script, () => countPrompt(prompt));
      const job = jobs.accept(request, script);
      recordCreate(journal, "dashscope", request, { jobId: job.id, answer: givenAnswer(script) });
      if (script.answer === "500") {
        return reply.code(500).send(errorBody(internalError(), requestId));
      }
      const output = { task_id: job.id, task_status: "PENDING" };
      return spoilAnswer(reply, script) ?? reply.send({ request_id: requestId, output });
    } catch (error) {
      if (!(error instanceof DashScopeError)) throw error;
      recordCreate(journal, "dashscope", request, { answer: error.httpStatus, code: error.code });
      return reply.code(error.httpStatus).send(errorBody(error, requestId));
    }
  };
}

function checkIsAsync(request: FastifyRequest) {
  if (request.headers["x-dashscope-async"] === "enable") return;
  const message = "current user api does not support synchronous calls.";
  throw new DashScopeError("AccessDenied", message);
}

function scriptOf(prompt: string): Script {
  try {
    return readScript(prompt);
  } catch (error) {
    if (error instanceof UnknownDirectiveError) throw invalidParameter(error.message);
    throw error;
  }
}

function refuseAsScripted(script: Script, countPrompt: () => number) {
  if (script.refuse !== undefined) throw errorOf(script.refuse);
  if (script.throttle !== undefined && countPrompt() <= script.throttle) throw rateExceeded();
  if (script.answer === "lost") throw internalError();
}
