import type { FastifyReply, FastifyRequest } from "fastify";
import type { Faults } from "../faults.ts";
import type { JobBook } from "../job-book.ts";
import type { Journal } from "../journal.ts";
import { readScript, type Script, UnknownWordError } from "../script.ts";
import { ArkError, errorBody, invalidParameter } from "./errors.ts";
import { readRequest, type VideoRequest } from "./read-request.ts";

export interface CreateParts {
  jobs: JobBook;
  faults: Faults;
  journal: Journal;
  /** Creates that came with the right key, accepted or not. */
  counts: { creates: number };
}

const promptsCountedMax = 10_000;

export type CreateTask = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The create call: judge it, let the script spoil it, accept it, and answer as scripted. */
export function createCreateTask({ jobs, faults, journal, counts }: CreateParts): CreateTask {
  const countPrompt = createPromptCount();

  function record(request: VideoRequest | undefined, outcome: Outcome) {
    journal.write({
      event: "create",
      jobId: outcome.jobId ?? null,
      accepted: outcome.jobId !== undefined,
      answer: outcome.answer,
      code: outcome.code ?? null,
      model: request?.model ?? null,
      callbackUrl: request?.callbackUrl ?? null,
      safetyIdentifier: request?.safetyIdentifier ?? null,
    });
  }

  return (httpRequest, reply) => {
    counts.creates++;
    let request: VideoRequest | undefined;
    try {
      request = readRequest(httpRequest.body);
      const script = { ...scriptOf(request.prompt), ...faults.take() };
      refuseAsScripted(script, () => countPrompt(request?.prompt ?? ""));
      const job = jobs.accept(request, script);
      const answer = answerOf(script);
      record(request, { jobId: job.id, answer });
      return sendAnswer(reply, answer, script, job.id);
    } catch (error) {
      if (!(error instanceof ArkError)) throw error;
      record(request, { answer: error.httpStatus, code: error.code });
      return reply.code(error.httpStatus).send(errorBody(error));
    }
  };
}

interface Outcome {
  jobId?: string;
  answer: number | "reset" | "timeout";
  code?: string;
}

function scriptOf(prompt: string): Script {
  try {
    return readScript(prompt);
  } catch (error) {
    if (error instanceof UnknownWordError) throw invalidParameter("content.text", error.message);
    throw error;
  }
}

function refuseAsScripted(script: Script, countPrompt: () => number) {
  if (script.refuse !== undefined) {
    throw new ArkError(script.refuse, "The sandbox was told to refuse this request.");
  }
  if (script.throttle !== undefined && countPrompt() <= script.throttle) {
    throw new ArkError("ServerOverloaded", "The service is overloaded; try again later.");
  }
  if (script.answer === "lost") {
    throw new ArkError("InternalServiceError", "The sandbox was told to lose this request.");
  }
}

function answerOf(script: Script): Outcome["answer"] {
  if (script.answer === "reset" || script.answer === "timeout") return script.answer;
  return script.answer === "500" ? 500 : 200;
}

function sendAnswer(reply: FastifyReply, answer: Outcome["answer"], script: Script, id: string) {
  if (answer === "reset") {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
    return reply;
  }
  if (answer === "timeout") {
    reply.hijack(); // the socket stays open until the caller or stop() closes it
    return reply;
  }
  if (script.answer === "500") {
    const error = new ArkError(
      "InternalServiceError",
      "The sandbox accepted the task and says it did not.",
    );
    return reply.code(500).send(errorBody(error));
  }
  if (script.answer === "garbage") {
    return reply.type("text/html").send("<html><body><h1>502 Bad Gateway</h1></body>");
  }
  return reply.send({ id });
}

/** How often a prompt has been throttled so far, for the latest prompts. */
function createPromptCount() {
  const counts = new Map<string, number>();
  return (prompt: string) => {
    const count = (counts.get(prompt) ?? 0) + 1;
    counts.set(prompt, count);
    const [oldest] = counts.keys();
    if (counts.size > promptsCountedMax && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}
