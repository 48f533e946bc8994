import { send } from "@fastify/send";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { refusals } from "../http/error-answers.ts";
import { readVersion } from "../settings/version.ts";
import type { ApiContext } from "./context.ts";
import {
  clientPackages,
  installCommand,
  packageIds,
  packagesPath,
  packageUrl,
  readPackages,
} from "./list-packages.ts";

const fileName = /^zoetrope-(?:[a-z-]+-)?\d[\w.]*(?:\.tgz|-py3-none-any\.whl)$/;
const indexPath = "/api/v1/packages";
const cache = "public, max-age=300";

const packagesAnswer = z.object({
  version: z.string().meta({ description: "Of this release: the service and its clients." }),
  items: z
    .array(
      z.object({
        id: z.enum(packageIds),
        name: z.string().meta({ description: "As programs import it." }),
        summary: z.string(),
        url: z.url(),
        install: z.string().meta({ description: "What to type." }),
        sizeBytes: z.int(),
        sha256: z.string().meta({ description: "Of the file, in hexadecimal." }),
      }),
    )
    .meta({ description: "Empty: this deployment does not serve its clients." }),
});

/**
 * The clients that fit this deployment, from the deployment itself: their names in public registries are not
 * needed. Public, as the documents are.
 */
export function servePackages(app: FastifyInstance, ctx: ApiContext): void {
  const { packagesDir } = ctx.config.api;
  const { publicUrl } = ctx.config.links;
  const version = readVersion();

  app.withTypeProvider<ZodTypeProvider>().get(
    indexPath,
    {
      config: { isPublic: true },
      schema: {
        operationId: "listPackages",
        summary: "List the clients that this service serves",
        description:
          "The TypeScript client, the Python client, the command line and others, of the same release as the service, each with what to type to install it.",
        tags: ["models"],
        security: [],
        response: { 200: packagesAnswer, ...refusals(429, 500) },
      },
    },
    async (_request, reply) => {
      const stored = await readPackages(packagesDir, version);
      reply.header("Cache-Control", "public, max-age=10");
      return {
        version,
        items: stored.map(({ id, file, sizeBytes, sha256 }) => ({
          id,
          name: clientPackages[id].name,
          summary: clientPackages[id].summary,
          url: packageUrl(publicUrl, file),
          install: installCommand(publicUrl, id, version),
          sizeBytes,
          sha256,
        })),
      };
    },
  );

  const options = { config: { isPublic: true }, schema: { hide: true } };
  for (const path of [packagesPath, `${packagesPath}/`])
    app.get(path, options, (_request, reply) => reply.redirect(indexPath, 302));
  app.get<{ Params: { file: string } }>(
    `${packagesPath}/:file`,
    options,
    async (request, reply) => {
      const { file } = request.params;
      if (!fileName.test(file) || packagesDir === null) throw await missing(packagesDir, version);
      const { type, statusCode, headers, stream } = await send(request.raw, file, {
        root: packagesDir,
        acceptRanges: false,
        cacheControl: false,
      });
      if (type !== "file") throw await missing(packagesDir, version);
      const contentType = file.endsWith(".tgz") ? "application/gzip" : "application/zip";
      return reply
        .code(statusCode)
        .headers({ ...headers, "cache-control": cache, "x-content-type-options": "nosniff" })
        .type(contentType)
        .send(stream);
    },
  );
}

async function missing(dir: string | null, version: string): Promise<ApiError> {
  const isServed = (await readPackages(dir, version)).length > 0;
  const message = isServed
    ? {
        en: `There is no such package here. GET ${indexPath} lists those that there are.`,
        zh: `没有这个软件包。GET ${indexPath} 列出可用的软件包。`,
      }
    : {
        en: "This deployment does not serve its clients. In a checkout, `npm run pack` makes them; elsewhere the setting PACKAGES_DIR names the folder that has them.",
        zh: "此部署不提供客户端软件包。在代码仓库中运行 `npm run pack` 生成；在其他环境中用设置项 PACKAGES_DIR 指定存放它们的文件夹。",
      };
  return new ApiError("not_found", { message });
}
