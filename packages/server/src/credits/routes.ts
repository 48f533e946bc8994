import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import { prefersType } from "../http/accepts.ts";
import { refusals } from "../http/error-answers.ts";
import { readUsage } from "./read-usage.ts";
import { renderCsv } from "./usage-csv.ts";
import { usageCsv, usagePage, usageQuery } from "./usage-schema.ts";

export function usageRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/account/usage",
      {
        config: { scope: "account" },
        schema: {
          operationId: "readUsage",
          summary: "Read usage by hour, day or month",
          description:
            "Tasks, credits and seconds of video of each interval, counted when the tasks ended. Intervals in which nothing ended are left out. `Accept: text/csv` returns the same as CSV.",
          tags: ["account"],
          querystring: usageQuery,
          response: {
            200: {
              description: "A page of usage.",
              content: {
                "application/json": { schema: usagePage },
                "text/csv": { schema: usageCsv },
              },
            },
            ...refusals(400, 401, 403, 429, 500),
          },
        },
      },
      async (request, reply) => {
        reply.header("Vary", "Accept");
        const page = await readUsage(ctx.db, request.caller.id, request.query);
        if (!prefersType(request.headers.accept, "text/csv")) return reply.send(page);
        if (page.nextCursor !== null)
          reply.header("Link", `<${nextPage(request.url, page)}>; rel="next"`);
        reply.header("Content-Disposition", `attachment; filename="usage-by-${page.by}.csv"`);
        return reply.type("text/csv; charset=utf-8").send(renderCsv(page));
      },
    );
  };
}

/**
 * Returns the URL of the next page, with the range as it was read: without `to` it would end later each
 * time.
 */
function nextPage(
  url: string,
  { from, to, nextCursor }: { from: number; to: number; nextCursor: string | null },
): string {
  const next = new URL(url, "http://localhost");
  next.searchParams.set("from", new Date(from).toISOString());
  next.searchParams.set("to", new Date(to).toISOString());
  next.searchParams.set("cursor", nextCursor ?? "");
  return `${next.pathname}${next.search}`;
}
