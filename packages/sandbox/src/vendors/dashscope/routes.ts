import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createRateLimit, type RateLimit } from "../../kit/rate-limit.ts";
import { type CreateParts, createCreateTask } from "./create-task.ts";
import { describeNoTask, describeTask } from "./describe-task.ts";
import { DashScopeError, errorBody, invalidParameter, rateExceeded } from "./errors.ts";
import { listTasks } from "./list-tasks.ts";

interface ById {
  Params: { id: string };
}

/** Queries of one account: get, list and cancel together. */
const queriesPerSecondMax = 20;

export function createQueryLimit(clock: () => number): RateLimit {
  return createRateLimit(queriesPerSecondMax, 1_000, clock);
}

/** DashScope's video calls; to be registered under `/dashscope/api/v1`. */
export function dashScopeRoutes(parts: CreateParts, key: string, queries?: RateLimit) {
  const { jobs } = parts;
  const countQuery = async () => {
    if (queries && queries.take() > 0) throw rateExceeded();
  };
  return async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request) => authenticate(request, key));
    app.setErrorHandler(answerError);
    app.setNotFoundHandler(() => {
      throw new DashScopeError("NotFound", "The path does not exist.");
    });
    app.post("/services/aigc/video-generation/video-synthesis", createCreateTask(parts));
    const list = async (request: FastifyRequest) =>
      answer(listTasks(jobs.all(), request.query, Date.now()));
    app.get("/tasks", { preHandler: countQuery }, list);
    app.get("/tasks/", { preHandler: countQuery }, list);
    app.get<ById>("/tasks/:id", { preHandler: countQuery }, async ({ params }) => {
      const job = jobs.find(params.id);
      return answer(job ? describeTask(job) : describeNoTask(params.id));
    });
    app.post<ById>("/tasks/:id/cancel", { preHandler: countQuery }, async ({ params }) => {
      const job = jobs.find(params.id);
      if (job?.status !== "queued") throw notPending();
      jobs.cancel(job);
      return answer({});
    });
  };
}

function answer<T extends object>(body: T) {
  return { request_id: randomUUID(), ...body };
}

function notPending(): DashScopeError {
  const message = "Failed to cancel the task, please confirm if the task is in PENDING status.";
  return new DashScopeError("UnsupportedOperation", message);
}

function authenticate(request: FastifyRequest, key: string) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = request.headers.authorization ?? "";
  if (timingSafeEqual(digest(given), digest(`Bearer ${key}`))) return;
  throw new DashScopeError("InvalidApiKey", "Invalid API-key provided.");
}

function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof DashScopeError ? error : unreadable(error);
  return reply.code(known.httpStatus).send(errorBody(known));
}

/**
 * Converts an error of Fastify: a request that it could not read is the caller's fault, anything
 * else the sandbox's.
 */
function unreadable(error: unknown): DashScopeError {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status < 500)
    return invalidParameter(error instanceof Error ? error.message : "unreadable body");
  return new DashScopeError("InternalError", `The sandbox has a defect: ${String(error)}.`);
}
