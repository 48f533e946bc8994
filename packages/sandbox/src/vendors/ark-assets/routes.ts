import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Faults } from "../../kit/faults.ts";
import { type ActionParts, actions } from "./actions.ts";
import { createCreateAsset } from "./create-asset.ts";
import { AssetsError, invalidParameter } from "./errors.ts";
import { type AccessKeys, verifySignature } from "./verify-signature.ts";

const version = "2024-01-01";
const defaultRegion = "cn-beijing";

interface Call {
  Querystring: { Action?: string; Version?: string };
  Body: unknown;
}

/** Ark's asset library; to be registered under `/ark-assets`. */
export function arkAssetsRoutes(parts: ActionParts & { faults: Faults }, keys: AccessKeys) {
  const createAsset = createCreateAsset(parts.library, parts.faults);
  return async (app: FastifyInstance) => {
    // the signature covers the bytes of the body, so they are kept as they came
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    app.post<Call>("/", async (request, reply) => {
      const { Action = "", Version } = request.query;
      const region = authenticate(request, keys);
      const isKnown = Action === "CreateAsset" || Object.hasOwn(actions, Action);
      if (!isKnown || Version !== version) {
        const message = `There is no action ${Action.slice(0, 100)} of this version.`;
        throw new AssetsError("InvalidActionOrVersion", message);
      }
      const body = readJson(request.body);
      const result =
        Action === "CreateAsset" ? createAsset(body, reply) : actions[Action]?.(parts, body);
      if (result === reply) return reply;
      return { ResponseMetadata: metadata(request, region), Result: result };
    });
  };
}

/** The path of the links to assets. */
export const assetFilesPath = "/ark-assets/files";

export function registerAssetFiles(app: FastifyInstance, { library, links }: ActionParts) {
  app.get<{ Params: { id: string }; Querystring: { token?: unknown } }>(
    `${assetFilesPath}/:id`,
    async (request, reply) => {
      const { id } = request.params;
      const { token } = request.query;
      const verdict = typeof token === "string" ? links.judge(id, token) : "forged";
      const isThere = library.lookUp(id)?.status === "Active";
      if (verdict !== "good" || !isThere) return reply.code(403).send();
      return reply.type("application/octet-stream").send(createReadStream(library.pathOf(id)));
    },
  );
}

function authenticate(request: FastifyRequest<Call>, keys: AccessKeys): string {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const call = { method: request.method, url: request.url, headers: request.headers, body };
  return verifySignature(call, keys, Date.now());
}

function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw invalidParameter("The body is not JSON.");
  }
}

function metadata(request: FastifyRequest, region = defaultRegion) {
  const { Action = "", Version = version } = Object(request.query);
  return { RequestId: randomUUID(), Action, Version, Service: "ark", Region: region };
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof AssetsError ? error : unreadable(error);
  const { code: Code, message: Message } = known;
  return reply
    .code(known.httpStatus)
    .send({ ResponseMetadata: { ...metadata(request), Error: { Code, Message } } });
}

/**
 * Converts an error of Fastify: a request that it could not read is the caller's fault, anything
 * else the sandbox's.
 */
function unreadable(error: unknown): AssetsError {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status < 500) return invalidParameter(error instanceof Error ? error.message : "unreadable");
  return new AssetsError("InternalError", `The sandbox has a defect: ${String(error)}.`);
}
