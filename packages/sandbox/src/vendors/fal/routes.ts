import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isOpen } from "../../kit/job.ts";
import { appOf, describeResult, describeStatus } from "./describe-request.ts";
import { errorBody, FalError, internalError } from "./errors.ts";
import { baseUrlOf, createSubmit, type SubmitParts } from "./submit-request.ts";
import type { UpscaleJob } from "./upscale-job.ts";

interface ById {
  Params: { id: string };
}

const model = "fal-ai/bytedance-upscaler/upscale/video";

/** fal's queue with one model; to be registered under `/fal`. */
export function falRoutes(parts: SubmitParts, key: string) {
  const find = (id: string): UpscaleJob => {
    const job = parts.jobs.find(id);
    if (job && job.status !== "expired") return job;
    throw new FalError("not_found", "Request not found");
  };
  return async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request) => authenticate(request, key));
    app.setErrorHandler(answerError);
    app.setNotFoundHandler(() => {
      throw new FalError("not_found", "Application not found");
    });
    const requests = `/${appOf(model)}/requests/:id`;
    app.post(`/${model}`, createSubmit(parts, model));
    app.get<ById>(`${requests}/status`, async (request, reply) => {
      const job = find(request.params.id);
      return reply.code(isOpen(job) ? 202 : 200).send(describeStatus(job, baseUrlOf(request)));
    });
    const result = async ({ params }: { params: ById["Params"] }) =>
      describeResult(find(params.id));
    app.get<ById>(requests, result);
    app.get<ById>(`${requests}/response`, result);
    app.put<ById>(`${requests}/cancel`, async ({ params }, reply) => {
      const job = parts.jobs.find(params.id);
      if (!job) return reply.code(404).send({ status: "NOT_FOUND" });
      if (!isOpen(job)) return reply.code(400).send({ status: "ALREADY_COMPLETED" });
      const wasQueued = job.status === "queued";
      parts.jobs.cancel(job);
      if (wasQueued) return { status: "OK" };
      return reply.code(202).send({ status: "CANCELLATION_REQUESTED" });
    });
  };
}

function authenticate(request: FastifyRequest, key: string) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = request.headers.authorization ?? "";
  if (timingSafeEqual(digest(given), digest(`Key ${key}`))) return;
  throw new FalError("unauthorized", "invalid key credentials");
}

function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof FalError ? error : unreadable(error);
  if (known.form === "request") reply.header("x-fal-error-type", known.code);
  return reply.code(known.httpStatus).send(errorBody(known));
}

/**
 * Converts an error of Fastify: a request that it could not read is the caller's fault, anything
 * else the sandbox's.
 */
function unreadable(error: unknown): FalError {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status < 500) return new FalError("bad_request", "unreadable body");
  return internalError(`The sandbox has a defect: ${String(error)}.`);
}
