import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { JobStore } from "../../kit/job-store.ts";
import type { ArkJob } from "./ark-job.ts";
import { type CreateParts, createCreateTask } from "./create-task.ts";
import { describeJob, describeJobInList } from "./describe-job.ts";
import { ArkError, invalidParameter, sendError, taskNotFound } from "./errors.ts";
import { listJobs } from "./list-jobs.ts";

const tasksPath = "/contents/generations/tasks";

interface ById {
  Params: { id: string };
}

/** Ark's four video calls; to be registered under `/api/v3`. */
export function arkRoutes(parts: CreateParts, keys: { accepted: readonly string[] }) {
  const { limits } = parts;
  return async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request) => authenticate(request, keys.accepted));
    app.setErrorHandler(answerError);
    app.setNotFoundHandler((request) => {
      throw new ArkError(
        "ResourceNotFound",
        `There is no ${request.method} ${request.url.slice(0, 200)}.`,
      );
    });
    app.post(tasksPath, createCreateTask(parts));
    app.get(tasksPath, async (request) => {
      limits.list();
      const { total, jobs } = listJobs(parts.jobs, request.query);
      return { total, items: jobs.map(describeJobInList) };
    });
    app.get<ById>(`${tasksPath}/:id`, async (request) => {
      limits.get();
      return describeJob(findJob(parts.jobs, request.params.id));
    });
    app.delete<ById>(`${tasksPath}/:id`, async (request) => {
      limits.delete();
      cancelOrErase(parts.jobs, findJob(parts.jobs, request.params.id));
      return {};
    });
  };
}

function authenticate(request: FastifyRequest, keys: readonly string[]) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = request.headers.authorization ?? "";
  if (keys.some((key) => timingSafeEqual(digest(given), digest(`Bearer ${key}`)))) return;
  const message =
    given === ""
      ? "The API key in the request is missing."
      : "The API key format is incorrect or the key is unknown.";
  throw new ArkError("AuthenticationError", message);
}

function findJob(jobs: JobStore<ArkJob>, id: string): ArkJob {
  const job = jobs.find(id);
  if (!job) throw taskNotFound(id);
  return job;
}

/** A queued job is cancelled, a finished one forgotten; the other two refuse. */
function cancelOrErase(jobs: JobStore<ArkJob>, job: ArkJob) {
  if (job.status === "queued") return jobs.cancel(job);
  if (job.status === "running") {
    const message = `Cannot delete task \`${job.id}\` because it is currently running.`;
    throw new ArkError("InvalidAction.RunningTaskDeletion", message, "id");
  }
  if (job.status === "cancelled") {
    const message = `Cannot delete task \`${job.id}\` because it is cancelled.`;
    throw new ArkError("InvalidAction.CancelledTaskDeletion", message, "id");
  }
  jobs.erase(job);
}

function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof ArkError ? error : unreadable(error);
  return sendError(reply, known);
}

/**
 * Converts an error of Fastify: a request that it could not read is the caller's fault, anything
 * else the sandbox's.
 */
function unreadable(error: unknown): ArkError {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status < 500)
    return invalidParameter("body", error instanceof Error ? error.message : "unreadable");
  return new ArkError("InternalServiceError", `The sandbox has a defect: ${String(error)}.`);
}
