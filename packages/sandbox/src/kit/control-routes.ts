import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import type { VideoStore } from "../render/video/video-store.ts";
import type { ArkJob } from "../vendors/ark/ark-job.ts";
import type { Callbacks } from "./callbacks.ts";
import type { Faults } from "./faults.ts";
import { isOpen, type Job, jobStatuses } from "./job.ts";
import type { JobStore } from "./job-store.ts";
import { outcomePattern, UnknownDirectiveError } from "./script.ts";
import { vendors } from "./vendor.ts";

interface ControlParts {
  ark: JobStore<ArkJob>;
  /** The job stores of all vendors. */
  books: readonly JobStore<Job>[];
  faults: Faults;
  callbacks: Callbacks;
  videos: VideoStore;
  /** The numbers of requests to the vendors that respond with an image, and of those that were accepted. */
  images: { stats(): { creates: number; accepted: number; rendered: number; reused: number } };
  counts: { creates: number };
  /** The keys that Ark's calls accept. */
  arkKeys: { accepted: string[] };
}

const timesMax = 100_000;
const faultSchema = z.object({
  fault: z.string().min(1).max(100),
  times: z.int().min(1).max(timesMax).default(1),
  vendor: z.enum(vendors).optional(),
});
const keysSchema = z.object({ keys: z.array(z.string().min(1).max(200)).max(10) });
const finishSchema = z.object({
  status: z.enum(["succeeded", "failed", "expired"]),
  code: z.string().regex(outcomePattern).optional(),
});
const pageSchema = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

interface ById {
  Params: { id: string };
}

/** Returns the sandbox's own switches, which require the token. */
export function controlRoutes(parts: ControlParts, token: string) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request, reply) => {
      if (timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) return;
      await reply.code(401).send({ error: "SANDBOX_CONTROL_TOKEN is needed as a bearer token" });
    });
    app.setErrorHandler((error, _request, reply) => {
      const mistaken = error instanceof z.ZodError || error instanceof UnknownDirectiveError;
      const own = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
      const status = mistaken ? 400 : own;
      const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      return reply.code(status).send({ error: message });
    });
    app.put("/ark-keys", async (request) => {
      parts.arkKeys.accepted = keysSchema.parse(request.body).keys;
      return {};
    });
    app.get("/stats", async () => describeSandbox(parts));
    app.get("/jobs", async (request) => pageOfJobs(parts.books, pageSchema.parse(request.query)));
    app.get("/faults", async () => ({ faults: parts.faults.list() }));
    app.post("/faults", async (request) => {
      const { fault, times, vendor } = faultSchema.parse(request.body);
      parts.faults.add(fault, times, vendor);
      return { faults: parts.faults.list() };
    });
    app.delete("/faults", async () => {
      parts.faults.clear();
      return { faults: [] };
    });
    app.post<ById>("/jobs/:id/finish", async (request, reply) => {
      const { status, code } = finishSchema.parse(request.body);
      const store = parts.books.find((each) => each.find(request.params.id));
      const job = store?.find(request.params.id);
      if (!store || !job) return notFound(reply);
      if (!isOpen(job)) return reply.code(409).send({ error: `the job is already ${job.status}` });
      await store.finish(job, status, code);
      return summary(job);
    });
    app.post<ById>("/jobs/:id/callback", async (request, reply) => {
      const job = parts.ark.find(request.params.id);
      if (!job) return notFound(reply);
      if (parts.callbacks.repeat(job)) return summary(job);
      return reply.code(409).send({ error: "the job was created without a callback_url" });
    });
  };
}

function notFound(reply: FastifyReply) {
  return reply.code(404).send({ error: "no such job" });
}

function describeSandbox({ books, faults, callbacks, videos, images, counts }: ControlParts) {
  const byStatus = Object.fromEntries(jobStatuses.map((status) => [status, 0]));
  for (const job of everyJob(books)) byStatus[job.status] = (byStatus[job.status] ?? 0) + 1;
  const sum = (of: (store: JobStore<Job>) => number) =>
    books.reduce((total, store) => total + of(store), 0);
  const sending = callbacks.stats();
  return {
    /** Jobs the books hold now; accepted also counts those erased since. */
    jobs: sum((store) => store.size()),
    byStatus,
    creates: counts.creates,
    accepted: sum((store) => store.accepted()),
    callbacksSent: sending.sent,
    callbacksAcknowledged: sending.acknowledged,
    callbacksWaiting: sending.waiting,
    videos: videos.stats(),
    images: images.stats(),
    faults: faults.list(),
  };
}

function pageOfJobs(
  books: readonly JobStore<Job>[],
  { after, limit }: z.output<typeof pageSchema>,
) {
  const jobs = everyJob(books)
    .filter((job) => job.number > after)
    .sort((a, b) => a.number - b.number)
    .slice(0, limit)
    .map(summary);
  return { jobs, next: jobs.length === limit ? (jobs.at(-1)?.number ?? null) : null };
}

function everyJob(books: readonly JobStore<Job>[]): Job[] {
  return books.flatMap((store) => [...store.all()]);
}

function summary(job: Job) {
  return {
    number: job.number,
    vendor: job.vendor,
    id: job.id,
    status: job.status,
    code: job.error?.code ?? null,
    model: job.request.model,
    prompt: job.request.prompt,
    callbackUrl: job.request.callbackUrl ?? null,
    safetyIdentifier: job.request.safetyIdentifier ?? null,
    createdAt: job.createdAtMs,
    updatedAt: job.updatedAtMs,
  };
}
