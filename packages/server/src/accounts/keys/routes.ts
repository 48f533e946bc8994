import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import { type KeyId, parseId } from "../../ids.ts";
import { changeKey } from "./change-key.ts";
import { issueKey, type NotifyIssued } from "./issue-key.ts";
import { noLimits, readLimits } from "./limits-of.ts";
import { findKey } from "./queries.ts";
import { readKeys, viewKey } from "./read-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import {
  changeKeyBody,
  createKeyBody,
  keyAnswer,
  keyQuery,
  keysPage,
  keysQuery,
  newKeyAnswer,
  revokedAnswer,
} from "./schema.ts";

const path = "/api/v1/account/keys";
/** Owners alone, and keys that have the scope by name. */
const manages = { scope: "keys", role: "owner", locksAccount: true } as const;
/** The config of routes that change the rights of a key, which outlast the session of a person. */
const proven = { ...manages, needsProof: true } as const;

export function keyRoutes(ctx: Context, notifyIssued: NotifyIssued): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      path,
      {
        config: { scope: "account" },
        schema: {
          operationId: "listKeys",
          summary: "List API keys, newest first",
          description:
            "The keys of the account and of its test account, revoked and expired ones included, each with its limits and its last use. The keys themselves are not shown.",
          tags: ["account"],
          querystring: keysQuery,
          response: { 200: keysPage, ...refusals(400, 401, 429, 500) },
        },
      },
      (request) => readKeys(ctx, request.caller.id, request.query),
    );

    app.post(
      path,
      {
        config: proven,
        schema: {
          operationId: "createKey",
          summary: "Create an API key, which is shown once",
          description: `For owners, and for keys that have the scope \`keys\` by name, which cannot give more than they have themselves. The response has the \`key\`, once.`,
          tags: ["account"],
          body: createKeyBody,
          response: { 200: newKeyAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const { name, mode, ...limits } = request.body;
        const wanted = { ...noLimits, ...readLimits(limits), name, mode };
        const { id: accountId } = request.caller;
        const { row, key } = await issueKey(
          ctx,
          request.actor,
          { ...wanted, accountId },
          notifyIssued,
        );
        return { ...viewKey(row), key };
      },
    );

    app.patch(
      path,
      {
        config: proven,
        schema: {
          operationId: "changeKey",
          summary: "Change the name or the limits of an API key",
          description:
            "Changes what the body names; here null removes a limit. A new budget or expiry applies to the next task, other limits within 5 s. For owners, and for keys that have the scope `keys`.",
          tags: ["account"],
          querystring: keyQuery,
          body: changeKeyBody,
          response: { 200: keyAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const { name, ...limits } = request.body;
        const keyId = readKeyId(request.query);
        const changes = withoutUndefined({ ...readLimits(limits), name });
        const { actor, caller } = request;
        return viewKey(await changeKey(ctx, actor, caller.id, { keyId, ...changes }));
      },
    );

    app.delete(
      path,
      {
        config: manages,
        schema: {
          operationId: "revokeKey",
          summary: "Revoke an API key",
          description:
            "The key creates nothing from then on, and reads nothing after at most 10 s. Its tasks continue. For owners, and for keys that have the scope `keys`.",
          tags: ["account"],
          querystring: keyQuery,
          response: { 200: revokedAnswer, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      async (request) => {
        const keyId = readKeyId(request.query);
        await revokeKey(ctx, request.actor, request.caller.id, keyId);
        return { keyId, revoked: true as const };
      },
    );
  };
}

/** The routes by which a key reads its own facts, whatever its scopes. */
export function ownKeyRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/account/key",
      {
        config: { anyKey: true },
        schema: {
          operationId: "readKey",
          summary: "Read the API key that the request is made with",
          description:
            "A key may always read itself, whatever its scopes: its mode, scopes, models and what is left of its budget.",
          tags: ["account"],
          response: { 200: keyAnswer, ...refusals(401, 429, 500) },
        },
      },
      async ({ caller: { id, keyId } }) => {
        const row = keyId === null ? undefined : await findKey(ctx.db, id, keyId);
        if (row === undefined) throw new ApiError("unauthorized");
        return viewKey(row);
      },
    );
  };
}

function readKeyId({ keyId }: { keyId: string }): KeyId {
  const id = parseId<KeyId>(keyId);
  if (id === undefined) throw new ApiError("key_not_found");
  return id;
}
