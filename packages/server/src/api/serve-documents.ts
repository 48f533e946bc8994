import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { answerWith, prepareDocument, type ReadyDocument } from "../http/ready-document.ts";
import type { ApiContext } from "./context.ts";
import { createAddressLimit } from "./limits/rate-limit.ts";
import { renderLlmsText } from "./llms-text.ts";

const referencePath = "/reference";
const require = createRequire(import.meta.url);
const filesDir = join(dirname(require.resolve("@fastify/swagger-ui/package.json")), "static");

/** Nothing is loaded from elsewhere. */
const referencePolicy = [
  "default-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
  "style-src 'self' 'unsafe-inline'",
].join("; ");

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<title>Zoetrope API</title>
<link rel="stylesheet" href="${referencePath}/swagger-ui.css">
<link rel="icon" type="image/png" href="${referencePath}/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${referencePath}/swagger-ui-bundle.js"></script>
<script src="${referencePath}/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/**
 * The OpenAPI document, a page to browse it, and llms.txt. Each is rendered once and served from memory. They
 * need no key, so reads are limited per address.
 */
export function serveDocuments(app: FastifyInstance, ctx: ApiContext): void {
  const limit = createAddressLimit(ctx.config.api.documentsPerMinuteMax, "reads of documents");

  function serve(path: string, contentType: string, read: () => Promise<string | Buffer>): void {
    let ready: Promise<ReadyDocument> | undefined;
    app.get(
      path,
      {
        config: { isPublic: true },
        schema: { hide: true },
        onRequest: async (request) => limit.charge(request),
      },
      async (request, reply) => {
        ready ??= read().then((content) => prepareDocument(contentType, content));
        if (path.startsWith(referencePath))
          reply.header("Content-Security-Policy", referencePolicy);
        const answer = answerWith(await ready, request.headers, "public, max-age=300");
        return reply.code(answer.statusCode).headers(answer.headers).send(answer.body);
      },
    );
  }

  const file = (name: string) => () => readFile(join(filesDir, name));
  serve("/openapi.json", "application/json; charset=utf-8", async () =>
    JSON.stringify(app.swagger()),
  );
  serve("/api/admin/v1/openapi.json", "application/json; charset=utf-8", async () =>
    JSON.stringify(app.adminSwagger()),
  );
  serve("/llms.txt", "text/plain; charset=utf-8", async () =>
    renderLlmsText(ctx.config.links.publicUrl, ctx.models),
  );
  for (const path of [referencePath, `${referencePath}/`])
    serve(path, "text/html; charset=utf-8", async () => page);
  const script = "text/javascript; charset=utf-8";
  serve(`${referencePath}/start.js`, script, async () => start);
  serve(`${referencePath}/swagger-ui-bundle.js`, script, file("swagger-ui-bundle.js"));
  serve(`${referencePath}/swagger-ui.css`, "text/css; charset=utf-8", file("swagger-ui.css"));
  serve(`${referencePath}/favicon-32x32.png`, "image/png", file("favicon-32x32.png"));
}
