import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../../errors.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { cutPage, readIdCursor, refuseCursor } from "../../http/paging.ts";
import { type LabelAgreementId, parseId, type TaskId } from "../../ids.ts";
import {
  type AgreementRow,
  type FreedOutputKey,
  listAgreements,
  listFreedOutputs,
} from "../../labels/agreements/queries.ts";
import { agreementShape, viewAgreement } from "../../labels/agreements/view-agreement.ts";
import { requireAccount } from "../accounts/require-account.ts";
import type { AdminContext } from "../context.ts";
import {
  accountParams,
  actorView,
  createActorView,
  done,
  msOf,
  nextCursor,
  pageQuery,
  readAccountId,
  readers,
  reasonBody,
  time,
  writers,
} from "../schema.ts";
import { endAgreement } from "./end-agreement.ts";
import { recordAgreement } from "./record-agreement.ts";

const accountUrl = "/api/admin/v1/accounts/:accountId";
const url = `${accountUrl}/label-agreements`;
const tags = ["accounts"];

const agreementParams = accountParams.extend({ agreementId: z.string().max(100) });
const page = z.strictObject(pageQuery);
const agreementView = z
  .object({
    ...agreementShape,
    recordedBy: actorView,
    endedAt: time.nullable().meta({ description: "null: the agreement is live." }),
    endedBy: actorView.nullable(),
    endReason: z.string().nullable(),
  })
  .meta({ id: "LabelAgreement" });
const agreementsPage = z.object({ items: z.array(agreementView), nextCursor });
const agreementBody = z.strictObject({
  agreedBy: z.string().trim().min(1).max(200).meta({
    description: "Who agreed for the customer: the person, and the name of the company.",
  }),
  agreedAt: time,
  text: z.string().trim().min(1).max(50_000).meta({
    description: "The text that was agreed on. It stays readable, and never changes.",
  }),
});
const agreementAnswer = z.object({ agreementId: z.string() });

const freedOutput = z
  .object({
    taskId: z.string(),
    number: z.int().meta({ description: "The place of the output in its task, from 0." }),
    agreementId: z.string(),
    sha256: z.string(),
    deliveredAt: time,
  })
  .meta({ id: "FreedOutput" });
const freedOutputsPage = z.object({ items: z.array(freedOutput), nextCursor });

/** Agreements that free customers from the visible label, and the record of what was delivered without it. */
export function labelAgreementRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("accounts"),
        schema: {
          operationId: "listLabelAgreements",
          summary: "List the agreements that free an account from the visible label, newest first",
          tags,
          params: accountParams,
          querystring: page,
          response: { 200: agreementsPage, ...staffRefusals(400, 404) },
        },
      },
      async ({ params, query: { cursor, limit } }) => {
        const { id } = await requireAccount(ctx.db, readAccountId(params));
        const before = readIdCursor<LabelAgreementId>(cursor);
        const rows = await listAgreements(ctx.db, id, { before, rowsMax: limit + 1 });
        const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
        return { items: await viewAgreements(ctx, page), nextCursor };
      },
    );

    app.get(
      `${accountUrl}/freed-outputs`,
      {
        config: readers("accounts"),
        schema: {
          operationId: "listFreedOutputs",
          summary: "List what was delivered without the visible label, newest tasks first",
          description:
            "Each is kept for 184 days, also when its task, its media or its account are gone.",
          tags,
          params: accountParams,
          querystring: page,
          response: { 200: freedOutputsPage, ...staffRefusals(400, 404) },
        },
      },
      async ({ params, query: { cursor, limit } }) => {
        const { id } = await requireAccount(ctx.db, readAccountId(params));
        const before = readFreedCursor(cursor);
        const rows = await listFreedOutputs(ctx.db, id, { before, rowsMax: limit + 1 });
        const cut = cutPage(rows, limit, ({ taskId, number }) => `${taskId}.${number}`);
        return {
          items: cut.page.map(({ deliveredAt, ...row }) => ({
            ...row,
            deliveredAt: deliveredAt.getTime(),
          })),
          nextCursor: cut.nextCursor,
        };
      },
    );
    changes(app, ctx);
  };
}

const changes = (app: Parameters<FastifyPluginAsyncZod>[0], ctx: AdminContext): void => {
  app.post(
    url,
    {
      config: writers("accounts"),
      schema: {
        operationId: "recordLabelAgreement",
        summary: "Record an agreement that frees an account from the visible label",
        tags,
        params: accountParams,
        body: agreementBody,
        response: { 200: agreementAnswer, ...staffRefusals(400, 404, 409, 413, 415) },
      },
    },
    async ({ actor, params, body: { agreedAt, ...agreement } }) => ({
      agreementId: await recordAgreement(ctx, actor, readAccountId(params), {
        ...agreement,
        agreedAt: new Date(agreedAt),
      }),
    }),
  );

  app.post(
    `${url}/:agreementId/end`,
    {
      config: writers("accounts"),
      schema: {
        operationId: "endLabelAgreement",
        summary: "End an agreement: new outputs get the visible label",
        tags,
        params: agreementParams,
        body: reasonBody,
        response: { 200: done, ...staffRefusals(400, 404, 409, 413, 415) },
      },
    },
    async ({ actor, params, body: { reason } }) => {
      const agreementId = parseId<LabelAgreementId>(params.agreementId);
      if (agreementId === undefined) throw new ApiError("label_agreement_not_found");
      await endAgreement(ctx, actor, readAccountId(params), { agreementId, reason });
      return {};
    },
  );
};

async function viewAgreements(
  { directory }: Pick<AdminContext, "directory">,
  rows: readonly AgreementRow[],
): Promise<z.output<typeof agreementView>[]> {
  const actors = rows.flatMap(({ recordedKind, recordedBy, endedKind, endedBy }) => [
    { kind: recordedKind, by: recordedBy },
    { kind: endedKind, by: endedBy },
  ]);
  const view = await createActorView({ directory }, actors);
  return rows.map((row) => ({
    ...viewAgreement(row),
    recordedBy: view(row.recordedKind, row.recordedBy),
    endedAt: msOf(row.endedAt),
    endedBy:
      row.endedKind === null || row.endedBy === null ? null : view(row.endedKind, row.endedBy),
    endReason: row.endReason,
  }));
}

function readFreedCursor(cursor: string | undefined): FreedOutputKey | null {
  if (cursor === undefined) return null;
  const [id = "", number = ""] = cursor.split(".");
  const taskId = parseId<TaskId>(id);
  if (taskId === undefined || !/^\d{1,4}$/.test(number)) return refuseCursor();
  return { taskId, number: Number(number) };
}
