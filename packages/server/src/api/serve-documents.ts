import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { answerWith, prepareDocument, type ReadyDocument } from "../http/ready-document.ts";
import { readVersion } from "../settings/version.ts";
import type { ApiContext } from "./context.ts";
import { listPresent } from "./list-packages.ts";
import { renderLlmsText } from "./llms-text.ts";

const referencePath = "/reference";
const require = createRequire(import.meta.url);
const filesDir = join(dirname(require.resolve("@fastify/swagger-ui/package.json")), "static");

/** The content security policy, which lets nothing be loaded from elsewhere. */
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

/** Rendered anew when other packages are there to install: they may be packed after the start. */
function llmsText({ config, models }: ApiContext): () => Promise<ReadyDocument> {
  const version = readVersion();
  const ready = new Map<string, Promise<ReadyDocument>>();
  return async () => {
    const served = await listPresent(config.api.packagesDir, version);
    const key = served.join();
    const text = () => renderLlmsText(config.links.publicUrl, models, { version, served });
    const known = ready.get(key) ?? prepareDocument("text/plain; charset=utf-8", text());
    ready.set(key, known);
    return known;
  };
}

/**
 * The OpenAPI document, a page to browse it, and llms.txt. Each is rendered once and served from memory. They
 * need no key. The descriptions of the API take half a second of the process, which no request waits for:
 * they are rendered when it begins to listen.
 */
export function serveDocuments(app: FastifyInstance, ctx: ApiContext): void {
  function serve(path: string, contentType: string, read: () => Promise<string | Buffer>): void {
    let ready: Promise<ReadyDocument> | undefined;
    const current = () => (ready ??= prepare(contentType, read));
    serveCurrent(path, current);
    if (path.endsWith("/openapi.json")) app.addHook("onListen", async () => void (await current()));
  }

  async function prepare(contentType: string, read: () => Promise<string | Buffer>) {
    return prepareDocument(contentType, await read());
  }

  function serveCurrent(path: string, current: () => Promise<ReadyDocument>): void {
    app.get(
      path,
      { config: { isPublic: true }, schema: { hide: true } },
      async (request, reply) => {
        if (path.startsWith(referencePath))
          reply.header("Content-Security-Policy", referencePolicy);
        const answer = answerWith(await current(), request.headers, "public, max-age=300");
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
  serveCurrent("/llms.txt", llmsText(ctx));
  for (const path of [referencePath, `${referencePath}/`])
    serve(path, "text/html; charset=utf-8", async () => page);
  const script = "text/javascript; charset=utf-8";
  serve(`${referencePath}/start.js`, script, async () => start);
  serve(`${referencePath}/swagger-ui-bundle.js`, script, file("swagger-ui-bundle.js"));
  serve(`${referencePath}/swagger-ui.css`, "text/css; charset=utf-8", file("swagger-ui.css"));
  serve(`${referencePath}/favicon-32x32.png`, "image/png", file("favicon-32x32.png"));
}
