import type { FastifyReply, FastifyRequest } from "fastify";
import type { Faults } from "../../kit/faults.ts";
import type { JobStore } from "../../kit/job-store.ts";
import type { Journal } from "../../kit/journal.ts";
import { recordCreate } from "../../kit/record-create.ts";
import { readScript, type Script, UnknownDirectiveError } from "../../kit/script.ts";
import { createTextCount, givenAnswer, spoilAnswer } from "../../kit/spoiled-answers.ts";
import type { ArkJob } from "./ark-job.ts";
import { checkAssets, type LookUpAsset } from "./check-assets.ts";
import { ArkError, invalidParameter, sendError } from "./errors.ts";
import type { ArkLimits } from "./limits.ts";
import { scriptedError } from "./outcomes.ts";
import { readRequest, type VideoRequest } from "./read-request.ts";

export interface CreateParts {
  jobs: JobStore<ArkJob>;
  faults: Faults;
  journal: Journal;
  limits: ArkLimits;
  lookUpAsset: LookUpAsset;
  /** Creates that came with the right key, accepted or not. */
  counts: { creates: number };
}

export type CreateTask = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Handles a create: judges it, lets the script spoil it, accepts it, and responds as scripted. */
export function createCreateTask(parts: CreateParts): CreateTask {
  const { jobs, faults, journal, counts } = parts;
  const countPrompt = createTextCount();

  return (httpRequest, reply) => {
    counts.creates++;
    let request: VideoRequest | undefined;
    try {
      request = readRequest(httpRequest.body);
      checkAssets(request.inputs, parts.lookUpAsset);
      parts.limits.create(request.model);
      const script = { ...scriptOf(request.prompt), ...faults.take("ark") };
      refuseAsScripted(script, () => countPrompt(request?.prompt ?? ""));
      const job = jobs.accept(request, script);
      recordCreate(journal, "ark", request, { jobId: job.id, answer: givenAnswer(script) });
      return spoilAnswer(reply, script) ?? sendAnswer(reply, script, job.id);
    } catch (error) {
      if (!(error instanceof ArkError)) throw error;
      recordCreate(journal, "ark", request, { answer: error.httpStatus, code: error.code });
      return sendError(reply, error);
    }
  };
}

function scriptOf(prompt: string): Script {
  try {
    return readScript(prompt);
  } catch (error) {
    if (error instanceof UnknownDirectiveError)
      throw invalidParameter("content.text", error.message);
    throw error;
  }
}

function refuseAsScripted(script: Script, countPrompt: () => number) {
  if (script.refuse !== undefined) {
    throw scriptedError(script.refuse, "The sandbox was scripted to refuse this request.");
  }
  if (script.throttle !== undefined && countPrompt() <= script.throttle) {
    throw new ArkError("ServerOverloaded", "The service is overloaded; try again later.");
  }
  if (script.answer === "lost") {
    throw new ArkError("InternalServiceError", "The sandbox was scripted to lose this request.");
  }
}

function sendAnswer(reply: FastifyReply, script: Script, id: string) {
  if (script.answer === "500") {
    const error = new ArkError(
      "InternalServiceError",
      "The sandbox accepted the task and says it did not.",
    );
    return sendError(reply, error);
  }
  return reply.send({ id });
}
