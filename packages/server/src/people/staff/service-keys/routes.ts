import assert from "node:assert";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { DirectoryContext } from "../../../context.ts";
import type { DirectoryDb } from "../../../db/database.ts";
import { ApiError } from "../../../errors.ts";
import { staffRefusals } from "../../../http/error-answers.ts";
import { parseId, type ServiceKeyId } from "../../../ids.ts";
import { listNames } from "../../list-names.ts";
import { nothing } from "../../schema.ts";
import { issueServiceKey } from "./issue-service-key.ts";
import { findServiceKey, listServiceKeys, type ServiceKeyRow } from "./queries.ts";
import { revokeServiceKey } from "./revoke-service-key.ts";
import {
  newServiceKeyAnswer,
  serviceKeyAnswer,
  serviceKeyBody,
  serviceKeyParams,
  serviceKeysAnswer,
} from "./schema.ts";

const url = "/api/admin/v1/service-keys";
const tags = ["service keys"];
/** The config of routes for signed-in operators alone: no key issues, lists or revokes keys. */
const config = { staff: ["operator"] } as const;

export function serviceKeyRoutes(ctx: DirectoryContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config,
        schema: {
          operationId: "listServiceKeys",
          summary: "List service keys, newest first",
          tags,
          response: { 200: serviceKeysAnswer, ...staffRefusals() },
        },
      },
      async () => ({ items: await viewServiceKeys(ctx.db, await listServiceKeys(ctx.db)) }),
    );

    app.get(
      "/api/admin/v1/service-key",
      {
        config: { ...config, service: "own" },
        schema: {
          operationId: "readServiceKey",
          summary: "Read the service key that the request is made with",
          tags,
          response: { 200: serviceKeyAnswer, ...staffRefusals(404) },
        },
      },
      async ({ actor }) => {
        const row =
          actor.kind === "service" ? await findServiceKey(ctx.db, actor.serviceKeyId) : undefined;
        const [view] = await viewServiceKeys(ctx.db, row === undefined ? [] : [row]);
        if (view === undefined) throw new ApiError("service_key_not_found");
        return view;
      },
    );

    app.post(
      url,
      {
        config: { ...config, needsProof: true },
        schema: {
          operationId: "createServiceKey",
          summary: "Issue a service key, which is shown once",
          tags,
          body: serviceKeyBody,
          response: { 200: newServiceKeyAnswer, ...staffRefusals(400, 409, 413, 415) },
        },
      },
      async ({ actor, body }) => {
        assert(actor.kind === "person", "the route has no scope of a key");
        const networks = body.networks ?? null;
        const { expiresAt, ...made } = await issueServiceKey(ctx, actor, { ...body, networks });
        return { ...made, expiresAt: expiresAt.getTime() };
      },
    );

    app.delete(
      `${url}/:serviceKeyId`,
      {
        config,
        schema: {
          operationId: "revokeServiceKey",
          summary: "Revoke a service key",
          tags,
          params: serviceKeyParams,
          response: { 200: nothing, ...staffRefusals(404) },
        },
      },
      async ({ actor, params }) => {
        const id = parseId<ServiceKeyId>(params.serviceKeyId);
        if (id === undefined) throw new ApiError("service_key_not_found");
        await revokeServiceKey(ctx, actor, id);
        return {};
      },
    );
  };
}

async function viewServiceKeys(db: DirectoryDb, rows: readonly ServiceKeyRow[]) {
  const issuers = rows.map(({ issuedBy }) => issuedBy);
  const names = await listNames(db, issuers);
  const now = Date.now();
  return rows.map(
    ({ id, issuedBy, createdAt, expiresAt, revokedAt, lastUsedAt, name, hint, ...row }) => ({
      serviceKeyId: id,
      name,
      hint,
      scopes: row.scopes,
      networks: row.networks,
      status: statusOf(revokedAt !== null, expiresAt.getTime() <= now),
      issuedBy: { personId: issuedBy, name: names.get(issuedBy) ?? null },
      createdAt: createdAt.getTime(),
      expiresAt: expiresAt.getTime(),
      revokedAt: revokedAt?.getTime() ?? null,
      lastUsedAt: lastUsedAt?.getTime() ?? null,
    }),
  );
}

function statusOf(isRevoked: boolean, isExpired: boolean): "live" | "expired" | "revoked" {
  if (isRevoked) return "revoked";
  return isExpired ? "expired" : "live";
}
