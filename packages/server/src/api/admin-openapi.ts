import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { codesOf } from "../http/error-answers.ts";
import { sessionCookieName } from "../people/cookies.ts";
import { pruneSchemas, staffPrefix } from "./openapi.ts";

const description = `The API of the people who run a deployment. Sign in with POST /api/v1/session, or send a service key. The role \`operator\` may do everything here, \`support\` reads, and \`reviewer\` has the review queue alone. Every write leaves an entry in the audit.`;

declare module "fastify" {
  interface FastifyInstance {
    adminSwagger(): object;
  }
}

/** Describes the routes of the operator API in a separate document. */
export async function describeAdminRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    decorator: "adminSwagger" as "swagger",
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Zoetrope operator API",
        version: "1.0.0",
        description,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "This deployment" }],
      security: [{ session: [] }, { serviceKey: [] }],
      components: {
        securitySchemes: {
          session: {
            type: "apiKey",
            in: "cookie",
            name: sessionCookieName,
            description:
              "The session of a signed-in person of the staff. Writes need the header Origin of this deployment.",
          },
          serviceKey: {
            type: "http",
            scheme: "bearer",
            description:
              "A service key, which begins with `zoe_ops_`. `x-scope` names the scope that it needs; null: the operation is for signed-in people alone.",
          },
        },
      },
    },
    transform: (document) => {
      const transformed = jsonSchemaTransform(document);
      const isOurs = document.url.startsWith(staffPrefix);
      const schema: FastifySchema = isOurs ? transformed.schema : { hide: true };
      const { staff = [], service = null } = document.route.config ?? {};
      const access = isOurs ? { "x-roles": staff, "x-scope": service } : {};
      return { ...transformed, schema: { ...schema, ...access } };
    },
    transformObject: (document) =>
      describeAnswers(pruneSchemas(jsonSchemaTransformObject(document))),
  });
}

type Document = ReturnType<typeof jsonSchemaTransformObject>;

function describeAnswers(document: Document): Document {
  for (const path of Object.values(document.paths ?? {}))
    for (const operation of Object.values(path ?? {})) {
      const { responses = {} } = operation as {
        responses?: Record<string, { description?: string }>;
      };
      for (const [status, response] of Object.entries(responses)) {
        const codes = codesOf(Number(status), true);
        response.description = [STATUS_CODES[status], codes.join(", ")].filter(Boolean).join(": ");
      }
    }
  return document;
}
