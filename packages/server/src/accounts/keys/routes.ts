import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { type KeyId, parseId } from "../../ids.ts";
import type { KeyLimits } from "../queries.ts";
import { changeKey } from "./change-key.ts";
import { issueKey } from "./issue-key.ts";
import { findKey } from "./queries.ts";
import { readKeys, viewKey } from "./read-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import {
  type ChangeKeyBody,
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

export function keyRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      path,
      {
        config: { scope: "account" },
        schema: {
          operationId: "listKeys",
          summary: "List API keys, newest first",
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
        config: manages,
        schema: {
          operationId: "createKey",
          summary: "Create an API key, which is shown once",
          tags: ["account"],
          body: createKeyBody,
          response: { 200: newKeyAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const { name, mode, ...limits } = request.body;
        const { row, key } = await issueKey(ctx, request.actor, {
          ...noLimits,
          ...readLimits(limits),
          ...{ accountId: request.caller.id, name, mode },
        });
        return { ...viewKey(row), key };
      },
    );

    app.patch(
      path,
      {
        config: manages,
        schema: {
          operationId: "changeKey",
          summary: "Change the name or the limits of an API key",
          tags: ["account"],
          querystring: keyQuery,
          body: changeKeyBody,
          response: { 200: keyAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const { name, ...limits } = request.body;
        const keyId = readKeyId(request.query);
        const changes = { ...readLimits(limits), ...(name === undefined ? {} : { name }) };
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

/** What a key may know of itself, whatever its scopes. */
export function ownKeyRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/account/key",
      {
        config: { anyKey: true },
        schema: {
          operationId: "readKey",
          summary: "Read the API key that the request is made with",
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

const noLimits: KeyLimits = {
  scopes: null,
  models: null,
  requestsPerMinuteMax: null,
  creditsMax: null,
  expiresAt: null,
};

/** The limits that a body gives; those that it leaves out are not in the answer. */
function readLimits({ expiresAt, ...rest }: Omit<ChangeKeyBody, "name">): Partial<KeyLimits> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Partial<KeyLimits>),
    ...(expiresAt === undefined
      ? {}
      : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

function readKeyId({ keyId }: { keyId: string }): KeyId {
  const id = parseId<KeyId>(keyId);
  if (id === undefined) throw new ApiError("key_not_found");
  return id;
}
