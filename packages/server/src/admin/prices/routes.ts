import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../../errors.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { type PriceDocument, priceDocument, upscalerPriced } from "../../prices/document.ts";
import { findBook, findDraft, listBooks, listVersionsOf } from "../../prices/draft-queries.ts";
import { readDocument } from "../../prices/queries.ts";
import { bookName } from "../../settings/settings.ts";
import type { AdminContext } from "../context.ts";
import {
  actorView,
  createActorView,
  done,
  readers,
  reason as reasonText,
  time,
  writers,
} from "../schema.ts";
import { previewPrices } from "./preview-draft.ts";
import { decideDraft, publishDraft } from "./publish-draft.ts";
import { createBook, dropDraft, writeDraft } from "./write-draft.ts";

const url = "/api/admin/v1/price-books";
const tags = ["prices"];
/** People alone publish prices; a service key can prepare a draft. */
const publishers = { staff: ["operator"] } as const;

const bookParams = z.object({ book: bookName });
const versionParams = bookParams.extend({ version: z.coerce.number().int().min(1) });
const reason = reasonText.meta({ description: "Why. It stays with the version." });

const booksAnswer = z.object({
  items: z.array(
    z
      .object({
        book: z.string(),
        description: z.string(),
        versions: z.int(),
        draft: z.enum(["none", "written", "waits"]).meta({
          description: "`waits`: a second person must approve it.",
        }),
      })
      .meta({ id: "PriceBookSummary" }),
  ),
});
const versionView = z
  .object({
    version: z.int(),
    validFrom: time,
    state: z.enum(["ended", "in_force", "announced"]),
    publishedAt: time,
    publishedBy: actorView.nullable().meta({ description: "null: it came with the service." }),
    reason: z.string().nullable(),
  })
  .meta({ id: "PriceVersion" });
const draftView = z
  .object({
    document: priceDocument,
    basedOn: z.int().meta({ description: "The last version when it was written." }),
    changedAt: time,
    changedBy: actorView,
    asked: z
      .object({ validFrom: time, reason: z.string(), askedAt: time, askedBy: actorView })
      .nullable()
      .meta({ description: "What waits for a second person; null: nothing." }),
  })
  .meta({ id: "PriceDraft" });
const bookAnswer = z.object({
  book: z.string(),
  description: z.string(),
  models: z
    .array(z.object({ model: z.string(), title: z.string(), rateKeys: z.array(z.string()) }))
    .meta({ description: "The rates that each model needs, in the order in which to show them." }),
  versions: z.array(versionView).meta({ description: "Newest first." }),
  document: priceDocument.nullable().meta({
    description: "That of the version in force; null: there is none.",
  }),
  draft: draftView.nullable(),
});
const documentAnswer = z.object({ document: priceDocument });
const createBody = z.strictObject({
  book: bookName,
  description: z.string().trim().max(500).default(""),
});
const draftBody = z.strictObject({ document: priceDocument });
const previewQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(30).meta({
    description: "The age in days up to which tasks are priced again.",
  }),
});
const previewAnswer = z.object({
  items: z.array(
    z
      .object({
        model: z.string(),
        tasks: z.int(),
        creditsBefore: z.int(),
        creditsAfter: z.int(),
        refused: z.int().meta({ description: "Tasks that the draft would not sell." }),
      })
      .meta({ id: "PricePreviewRow" }),
  ),
});
const publishBody = z.strictObject({
  validFrom: time.meta({ description: "When it begins, at least 60 s ahead." }),
  reason,
});
const publishAnswer = z.object({
  status: z.enum(["published", "pending"]).meta({
    description: "`pending`: it waits for a second person.",
  }),
  version: z.int().nullable(),
});

export function priceRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("prices"),
        schema: {
          operationId: "listPriceBooks",
          summary: "List the price books",
          tags,
          response: { 200: booksAnswer, ...staffRefusals() },
        },
      },
      async () => {
        const books = await listBooks(ctx.directory.db);
        const items = books.map(({ name, description, versions, changedAt, askedAt }) => ({
          book: name,
          description,
          versions,
          draft: draftState(changedAt, askedAt),
        }));
        return { items };
      },
    );

    app.get(
      `${url}/:book`,
      {
        config: readers("prices"),
        schema: {
          operationId: "readPriceBook",
          summary: "Read a price book with its versions, the one in force and the draft",
          tags,
          params: bookParams,
          response: { 200: bookAnswer, ...staffRefusals(404) },
        },
      },
      ({ params: { book } }) => showBook(ctx, book),
    );

    app.get(
      `${url}/:book/versions/:version`,
      {
        config: readers("prices"),
        schema: {
          operationId: "readPriceVersion",
          summary: "Read the document of a version",
          tags,
          params: versionParams,
          response: { 200: documentAnswer, ...staffRefusals(400, 404) },
        },
      },
      async ({ params: { book, version } }) => {
        const document = await readDocument(ctx.directory.db, book, version);
        if (document === undefined) throw new ApiError("price_book_not_found");
        return { document: priceDocument.parse(document) };
      },
    );

    app.get(
      `${url}/:book/preview`,
      {
        config: readers("prices"),
        schema: {
          operationId: "previewPrices",
          summary: "Price finished tasks again by the draft",
          description:
            "Takes the newest 10,000 completed tasks of the book and says, by model, what they were charged and what they would be charged. Nothing is written.",
          tags,
          params: bookParams,
          querystring: previewQuery,
          response: { 200: previewAnswer, ...staffRefusals(400, 404) },
        },
      },
      async ({ params: { book }, query: { days } }) => {
        const draft = await findDraft(ctx.directory.db, book);
        if (draft === undefined) throw new ApiError("price_draft_not_found");
        const document = priceDocument.parse(draft.document);
        return { items: await previewPrices(ctx, { book, document, days }) };
      },
    );
    changes(app, ctx);
  };
}

const changes = (app: Parameters<FastifyPluginAsyncZod>[0], ctx: AdminContext): void => {
  app.post(
    url,
    {
      config: writers("prices"),
      schema: {
        operationId: "createPriceBook",
        summary: "Create a price book",
        description: "It has no version: nothing can be bought by it until one is published.",
        tags,
        body: createBody,
        response: { 200: done, ...staffRefusals(400, 409, 413, 415) },
      },
    },
    async ({ actor, body: { book, description } }) => {
      await createBook(ctx, actor, { name: book, description });
      return {};
    },
  );

  app.put(
    `${url}/:book/draft`,
    {
      config: writers("prices"),
      schema: {
        operationId: "writePriceDraft",
        summary: "Write the draft of the next version in place of the one before",
        tags,
        params: bookParams,
        body: draftBody,
        response: { 200: done, ...staffRefusals(400, 404, 413, 415) },
      },
    },
    async ({ actor, params: { book }, body: { document } }) => {
      await writeDraft(ctx, actor, book, document);
      return {};
    },
  );

  app.delete(
    `${url}/:book/draft`,
    {
      config: writers("prices"),
      schema: {
        operationId: "dropPriceDraft",
        summary: "Drop the draft",
        tags,
        params: bookParams,
        response: { 200: done, ...staffRefusals(404) },
      },
    },
    async ({ actor, params: { book } }) => {
      await dropDraft(ctx, actor, book);
      return {};
    },
  );
  publications(app, ctx);
};

const publications = (app: Parameters<FastifyPluginAsyncZod>[0], ctx: AdminContext): void => {
  app.post(
    `${url}/:book/publish`,
    {
      config: publishers,
      schema: {
        operationId: "publishPrices",
        summary: "Publish the draft as the next version",
        description:
          "A published version never changes. Where a rate changes by more than PRICE_CHANGE_PERCENT_MAX, measured against the version that was in force 30 days ago, it waits for a second person.",
        tags,
        params: bookParams,
        body: publishBody,
        response: { 200: publishAnswer, ...staffRefusals(400, 404, 409, 413, 415) },
      },
    },
    ({ actor, params: { book }, body: { validFrom, reason } }) =>
      publishDraft(ctx, actor, book, { validFrom: new Date(validFrom), reason }),
  );

  app.post(
    `${url}/:book/approve`,
    {
      config: publishers,
      schema: {
        operationId: "approvePrices",
        summary: "Publish, as the second person, what waits",
        tags,
        params: bookParams,
        response: { 200: publishAnswer, ...staffRefusals(400, 404, 409) },
      },
    },
    async ({ actor, params: { book } }) => {
      const published = await decideDraft(ctx, actor, book, { isApproved: true });
      return published ?? { status: "pending" as const, version: null };
    },
  );

  app.post(
    `${url}/:book/reject`,
    {
      config: publishers,
      schema: {
        operationId: "rejectPrices",
        summary: "Reject what waits; the draft stays",
        tags,
        params: bookParams,
        response: { 200: done, ...staffRefusals(404, 409) },
      },
    },
    async ({ actor, params: { book } }) => {
      await decideDraft(ctx, actor, book, { isApproved: false });
      return {};
    },
  );
};

function draftState(changedAt: Date | null, askedAt: Date | null): "none" | "written" | "waits" {
  if (changedAt === null) return "none";
  return askedAt === null ? "written" : "waits";
}

async function showBook({ directory, models }: AdminContext, name: string) {
  const { db } = directory;
  const book = await findBook(db, name);
  if (book === undefined) throw new ApiError("price_book_not_found");
  const [versions, draft] = await Promise.all([listVersionsOf(db, name), findDraft(db, name)]);
  const actors = versions.flatMap(({ publishedKind: kind, publishedBy: by }) =>
    kind === "migration" ? [] : [{ kind, by }],
  );
  if (draft !== undefined) {
    actors.push({ kind: draft.changedKind, by: draft.changedBy });
    if (draft.askedKind !== null && draft.askedBy !== null)
      actors.push({ kind: draft.askedKind, by: draft.askedBy });
  }
  const view = await createActorView({ directory }, actors);
  const inForce = versions.find(({ hasBegun }) => hasBegun);
  return {
    book: book.name,
    description: book.description,
    models: [
      ...models.map(({ name, title, rateKeys }) => ({
        model: name,
        title,
        rateKeys: [...rateKeys],
      })),
      { model: upscalerPriced.name, title: "Upscaler", rateKeys: [...upscalerPriced.rateKeys] },
    ],
    versions: versions.map((row) => ({
      version: row.version,
      validFrom: row.validFrom.getTime(),
      state: stateOf(row, inForce),
      publishedAt: row.publishedAt.getTime(),
      publishedBy:
        row.publishedKind === "migration" ? null : view(row.publishedKind, row.publishedBy),
      reason: row.reason,
    })),
    document: inForce === undefined ? null : await readDocumentOf(db, name, inForce.version),
    draft: draft === undefined ? null : viewDraft(draft, view),
  };
}

type Version = Awaited<ReturnType<typeof listVersionsOf>>[number];

function stateOf(row: Version, inForce: Version | undefined): "ended" | "in_force" | "announced" {
  if (!row.hasBegun) return "announced";
  return row === inForce ? "in_force" : "ended";
}

async function readDocumentOf(
  db: AdminContext["directory"]["db"],
  book: string,
  version: number,
): Promise<PriceDocument> {
  return priceDocument.parse(await readDocument(db, book, version));
}

function viewDraft(
  draft: NonNullable<Awaited<ReturnType<typeof findDraft>>>,
  view: Awaited<ReturnType<typeof createActorView>>,
) {
  const { validFrom, reason, askedAt, askedKind, askedBy } = draft;
  const isAsked =
    validFrom !== null &&
    reason !== null &&
    askedAt !== null &&
    askedKind !== null &&
    askedBy !== null;
  return {
    document: priceDocument.parse(draft.document),
    basedOn: draft.basedOn,
    changedAt: draft.changedAt.getTime(),
    changedBy: view(draft.changedKind, draft.changedBy),
    asked: isAsked
      ? {
          validFrom: validFrom.getTime(),
          reason,
          askedAt: askedAt.getTime(),
          askedBy: view(askedKind, askedBy),
        }
      : null,
  };
}
