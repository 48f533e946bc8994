import assert from "node:assert";
import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { createTaskBody } from "../generation/schema.ts";
import { codesOf } from "../http/error-answers.ts";
import { modeSchemaOf } from "../models/inputs-schema.ts";
import type { Model } from "../models/model.ts";
import { sessionCookieName } from "../people/cookies.ts";
import { describeWebhooks } from "./describe-webhooks.ts";
import { scopesOf } from "./scopes.ts";

const description = `One API for video and image tasks. Create a task, then poll it until its status is COMPLETED or FAILED, or receive a callback. Failed tasks are not charged.`;

/** The body as each model accepts it. The route parses it loosely, for better messages. */
function documentedBody(models: readonly Model[]) {
  const bodies = models.map((model) => {
    const { name, modes, deprecation } = model;
    const deprecated = deprecation === undefined ? {} : { deprecated: true };
    const inputs = modes.map((mode) => {
      const { title: _, ...schema } = modeSchemaOf(model, mode, "en"); // its id is its name here
      return mode.inputs.meta({ id: componentName(name, mode.name), ...schema });
    });
    return createTaskBody
      .extend({ model: z.literal(name), inputs: z.union(inputs) })
      .meta({ id: componentName(name, "task"), title: name, ...deprecated });
  });
  const [first, ...others] = bodies;
  assert(first !== undefined);
  const mapping = models.map(({ name }) => [
    name,
    `#/components/schemas/${componentName(name, "task")}Input`,
  ]);
  return z.discriminatedUnion("model", [first, ...others]).meta({
    discriminator: { propertyName: "model", mapping: Object.fromEntries(mapping) },
  });
}

function componentName(...parts: string[]): string {
  return parts
    .join("-")
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** Staff have a document of their own. */
export const staffPrefix = "/api/admin/";

/** Describes every route that is registered after it. */
export async function describeRoutes(
  app: FastifyInstance,
  models: readonly Model[],
): Promise<void> {
  let body: ReturnType<typeof documentedBody> | undefined;
  const examples = bodyExamples(models);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Zoetrope",
        version: "1.0.0",
        description,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "This deployment" }],
      security: [{ key: [] }],
      components: {
        securitySchemes: {
          key: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key of the account. A key that was created with scopes needs one of the scopes listed by the operation.",
          },
          session: {
            type: "apiKey",
            in: "cookie",
            name: sessionCookieName,
            description:
              "The session of a signed-in person. Writes need the header Origin of this deployment; a person with several accounts names one in the header Zoetrope-Account.",
          },
        },
      },
      tags: [
        { name: "tasks", description: "Create, price and read generation tasks." },
        { name: "models", description: "The available models." },
        { name: "assets", description: "Reference files: upload, review, list and delete." },
        { name: "people", description: "Sign in, sessions, members and invitations." },
        { name: "verify", description: "Check whether a file was made here, without a key." },
        { name: "account", description: "Balance, ledger and webhooks of the account." },
      ],
    },
    transform: (document) => {
      const { schema } = document;
      if (document.url.startsWith(staffPrefix)) return { ...document, schema: { hide: true } };
      body ??= documentedBody(models); // when the document is read: a server starts without it
      const documented = schema?.body === createTaskBody ? { ...schema, body } : schema;
      const transformed = jsonSchemaTransform({ ...document, schema: documented });
      const described = withProof(transformed.schema, document.route);
      return { ...transformed, schema: withScopes(described, document.route) };
    },
    transformObject: (document) => tidy(jsonSchemaTransformObject(document), examples),
  });
}

/**
 * The scopes of which a key needs one, or a session where there is none; the `security` of a route
 * replaces that of the document.
 */
function withScopes(schema: FastifySchema, { method, config = {} }: RouteOptions): FastifySchema {
  if (config.isPublic) return { ...schema, security: [] };
  if (config.anyKey) return { ...schema, security: [{ key: [] }] };
  const scopes = scopesOf(String(method), config).map((scope) => ({ key: [scope] }));
  return { ...schema, security: scopes.length === 0 ? [{ session: [] }] : scopes };
}

const proofText =
  "With a session, who the person is must have been proved within the last 10 minutes, by a sign-in or by POST /api/v1/session/proof; otherwise the response is a 403 with code `proof_required`.";

/** Adds to the description whether a person has to prove who they are. */
function withProof(schema: FastifySchema, { config = {} }: RouteOptions): FastifySchema {
  const { description = "" } = schema;
  return config.needsProof ? { ...schema, description: `${description} ${proofText}` } : schema;
}

type Document = ReturnType<typeof jsonSchemaTransformObject>;
type Examples = Record<string, { value: object }>;
interface Operation {
  operationId?: string;
  requestBody?: { required?: true; content: Record<string, { examples?: Examples }> };
  responses?: Record<string, { description?: string; content?: unknown }>;
}

/** Adds what the routes do not say themselves, and leaves out what no route uses. */
function tidy(document: Document, examples: Examples): Document {
  for (const path of Object.values(document.paths ?? {}))
    for (const operation of Object.values(path ?? {})) complete(operation as Operation, examples);
  return pruneSchemas({ ...document, webhooks: describeWebhooks() });
}

/** Leaves out the components that nothing refers to. */
export function pruneSchemas(document: Document): Document {
  const schemas: Record<string, unknown> =
    ("components" in document && document.components?.schemas) || {};
  for (let pruned = true; pruned; ) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((id) => !text.includes(`/schemas/${id}"`));
    for (const id of unused) delete schemas[id];
    pruned = unused.length > 0;
  }
  return document;
}

/** The operations whose body is a task. */
const takesTask = new Set(["createTask", "quoteTask"]);

/** The operation whose body is a file, which no schema of a route describes. */
const takesFile = "verifyFile";

/** Returns the examples for creating a task: one for each mode of each model. */
function bodyExamples(models: readonly Model[]): Examples {
  return Object.fromEntries(
    models.flatMap(({ name, modes }) =>
      modes.map((mode) => [
        `${name} ${mode.name}`,
        { value: { model: name, inputs: { ...mode.example } } },
      ]),
    ),
  );
}

function complete(operation: Operation, examples: Examples): void {
  const { operationId = "", requestBody, responses = {} } = operation;
  if (operationId === takesFile)
    operation.requestBody = { required: true, content: { "application/octet-stream": {} } };
  const json = requestBody?.content["application/json"];
  if (json !== undefined && takesTask.has(operationId)) json.examples = examples;
  for (const [status, response] of Object.entries(responses)) {
    const codes = codesOf(Number(status));
    response.description = [STATUS_CODES[status], codes.join(", ")].filter(Boolean).join(": ");
    if (status === "204" || status === "304") delete response.content;
  }
}
