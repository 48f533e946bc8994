import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { issueKey } from "../../accounts/keys/issue-key.ts";
import { noLimits, readLimits } from "../../accounts/keys/limits-of.ts";
import { readKeys, viewKey } from "../../accounts/keys/read-keys.ts";
import { revokeKey } from "../../accounts/keys/revoke-key.ts";
import {
  createKeyBody,
  keysPage,
  keysQuery,
  newKeyAnswer,
  revokedAnswer,
} from "../../accounts/keys/schema.ts";
import { ApiError } from "../../errors.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { type KeyId, parseId } from "../../ids.ts";
import { notifyKeyMade } from "../../people/me/queue-notice.ts";
import { requireAccount } from "../accounts/require-account.ts";
import type { AdminContext } from "../context.ts";
import { accountParams, readAccountId, readers, writers } from "../schema.ts";

const url = "/api/admin/v1/accounts/:accountId/keys";
const tags = ["keys"];
const keyParams = accountParams.extend({ keyId: z.string().max(100) });

/** API keys of a customer, for operators: an account whose owner has none yet, or has lost one. */
export function staffKeyRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("keys"),
        schema: {
          operationId: "listAccountKeys",
          summary: "List the API keys of an account, newest first",
          tags,
          params: accountParams,
          querystring: keysQuery,
          response: { 200: keysPage, ...staffRefusals(400, 404) },
        },
      },
      async ({ params, query }) => {
        const { id } = await requireAccount(ctx.db, readAccountId(params));
        return readKeys(ctx, id, query);
      },
    );

    app.post(
      url,
      {
        config: { ...writers("keys"), needsProof: true },
        schema: {
          operationId: "createAccountKey",
          summary: "Create an API key of an account, which is shown once",
          tags,
          params: accountParams,
          body: createKeyBody,
          response: { 200: newKeyAnswer, ...staffRefusals(400, 404, 413, 415) },
        },
      },
      async ({ actor, params, body: { name, mode, ...limits } }) => {
        const { id: accountId } = await requireAccount(ctx.db, readAccountId(params));
        const wanted = { ...noLimits, ...readLimits(limits), accountId, name, mode };
        const { row, key } = await issueKey(ctx, actor, wanted, notifyKeyMade(ctx));
        return { ...viewKey(row), key };
      },
    );

    app.delete(
      `${url}/:keyId`,
      {
        config: writers("keys"),
        schema: {
          operationId: "revokeAccountKey",
          summary: "Revoke an API key of an account",
          tags,
          params: keyParams,
          response: { 200: revokedAnswer, ...staffRefusals(404) },
        },
      },
      async ({ actor, params }) => {
        const keyId = parseId<KeyId>(params.keyId);
        if (keyId === undefined) throw new ApiError("key_not_found");
        const { id } = await requireAccount(ctx.db, readAccountId(params));
        await revokeKey(ctx, actor, id, keyId);
        return { keyId, revoked: true as const };
      },
    );
  };
}
