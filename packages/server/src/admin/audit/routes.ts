import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { readStaffAudit, staffAuditPage, staffAuditQuery } from "../../audit/read-audit.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { readers } from "../schema.ts";

export function staffAuditRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/audit",
      {
        config: readers("audit"),
        schema: {
          operationId: "readStaffAudit",
          summary: "List who changed what, newest first",
          tags: ["audit"],
          querystring: staffAuditQuery,
          response: { 200: staffAuditPage, ...staffRefusals(400) },
        },
      },
      (request) => readStaffAudit(ctx, request.query),
    );
  };
}
