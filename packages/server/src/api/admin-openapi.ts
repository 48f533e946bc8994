import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { codesOf } from "../http/error-answers.ts";
import { sessionCookieName } from "../people/cookies.ts";
import { pruneSchemas, staffPrefix } from "./openapi.ts";

const description = `The API of the people who run a deployment. Sign in with POST /api/v1/session. The role \`operator\` may do everything here, \`support\` reads, and \`reviewer\` has the review queue alone. Every write leaves an entry in the audit.`;

declare module "fastify" {
  interface FastifyInstance {
    adminSwagger(): object;
  }
}

/** Describes the routes of the operator API, in a document of its own. */
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
      security: [{ session: [] }],
      components: {
        securitySchemes: {
          session: {
            type: "apiKey",
            in: "cookie",
            name: sessionCookieName,
            description:
              "The session of a signed-in person of the staff. Writes need the header Origin of this deployment.",
          },
        },
      },
    },
    transform: (document) => {
      const transformed = jsonSchemaTransform(document);
      const isOurs = document.url.startsWith(staffPrefix);
      const schema: FastifySchema = isOurs ? transformed.schema : { hide: true };
      const roles = document.route.config?.staff ?? [];
      return { ...transformed, schema: { ...schema, ...(isOurs ? { "x-roles": roles } : {}) } };
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
