import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import { cutPage, refuseCursor } from "../../http/paging.ts";
import { costDocument } from "../../prices/cost-document.ts";
import { listCostBooks, listCosts } from "../../prices/cost-queries.ts";
import type { AdminContext } from "../context.ts";
import {
  actorView,
  createActorView,
  nextCursor,
  pageQuery,
  reason,
  time,
  writers,
} from "../schema.ts";
import { publishCosts } from "./publish-costs.ts";

const url = "/api/admin/v1/cost-books";
const tags = ["cost books"];
/** What vendors charge is nobody's business but the operators'. */
const readers = { staff: ["operator"], service: "vendors:read" } as const;

const bookParams = z.object({ vendorAccount: z.string().max(100) });
const page = z.strictObject(pageQuery);
const validFrom = time.meta({ description: "The version counts for submits from then on." });

const booksAnswer = z.object({
  items: z.array(
    z
      .object({
        vendorAccount: z.string(),
        version: z.int().meta({ description: "The newest." }),
        currency: z.string(),
        validFrom,
        publishedAt: time,
      })
      .meta({ id: "CostBook" }),
  ),
});
const costsPage = z.object({
  items: z.array(
    z
      .object({
        version: z.int(),
        validFrom,
        publishedAt: time,
        publishedBy: actorView,
        reason: z.string().nullable(),
        document: costDocument,
      })
      .meta({ id: "CostVersion" }),
  ),
  nextCursor,
});
const costsBody = z.strictObject({
  document: costDocument,
  validFrom: time.optional().meta({
    description:
      "The version counts for submits from then on; left out: from now on. A time in the past corrects the versions before for submits that are recorded later, not those that have been counted.",
  }),
  reason,
});
const publishedAnswer = z.object({ version: z.int(), validFrom });

/** What vendor accounts charge. */
export function costBookRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers,
        schema: {
          operationId: "listCostBooks",
          tags,
          summary: "List the cost books of vendor accounts",
          response: { 200: booksAnswer, ...staffRefusals() },
        },
      },
      async () => {
        const books = await listCostBooks(ctx.directory.db);
        return {
          items: books.map((book) => ({
            ...book,
            validFrom: book.validFrom.getTime(),
            publishedAt: book.publishedAt.getTime(),
          })),
        };
      },
    );

    app.get(
      `${url}/:vendorAccount/versions`,
      {
        config: readers,
        schema: {
          operationId: "listCosts",
          tags,
          summary: "List the versions of a vendor account's cost book, newest first",
          params: bookParams,
          querystring: page,
          response: { 200: costsPage, ...staffRefusals(400) },
        },
      },
      async ({ params: { vendorAccount }, query: { cursor, limit } }) => {
        const before = readVersionCursor(cursor);
        const { db } = ctx.directory;
        const rows = await listCosts(db, vendorAccount, { before, rowsMax: limit + 1 });
        const cut = cutPage(rows, limit, ({ version }) => String(version));
        const actors = cut.page.map(({ publishedKind: kind, publishedBy: by }) => ({ kind, by }));
        const view = await createActorView(ctx, actors);
        return {
          items: cut.page.map((row) => ({
            version: row.version,
            validFrom: row.validFrom.getTime(),
            publishedAt: row.publishedAt.getTime(),
            publishedBy: view(row.publishedKind, row.publishedBy),
            reason: row.reason,
            document: costDocument.parse(row.document),
          })),
          nextCursor: cut.nextCursor,
        };
      },
    );

    app.post(
      `${url}/:vendorAccount/versions`,
      {
        config: writers("vendors"),
        schema: {
          operationId: "publishCosts",
          tags,
          summary: "Publish a version of a vendor account's cost book, which never changes",
          params: bookParams,
          body: costsBody,
          response: { 200: publishedAnswer, ...staffRefusals(400, 413, 415) },
        },
      },
      async ({ actor, params: { vendorAccount }, body }) => {
        const begins = body.validFrom === undefined ? null : new Date(body.validFrom);
        const { document, reason } = body;
        const input = { vendorAccount, document, validFrom: begins, reason };
        const published = await publishCosts(ctx, actor, input);
        return { version: published.version, validFrom: published.validFrom.getTime() };
      },
    );
  };
}

function readVersionCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  return /^\d{1,9}$/.test(cursor) ? Number(cursor) : refuseCursor();
}
