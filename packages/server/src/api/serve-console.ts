import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { answerWith } from "../http/ready-document.ts";
import type { Config } from "../settings/config.ts";
import type { ApiContext } from "./context.ts";
import { type Console, findConsoleDir, readConsole } from "./read-console.ts";

const root = "/console";
const notBuilt =
  "The console is not installed here. Build it with `npm run build -w @zoetrope/console`, or set CONSOLE_DIR to the folder of a built one.";

/**
 * The console, from memory: its files, and its page for every other path, whose view the page decides. They
 * need no key, so reads are limited per address.
 */
export function serveConsole(app: FastifyInstance, ctx: ApiContext): void {
  const { consoleDir } = ctx.config.api;
  const headers = securityHeaders(ctx.config);
  const options = { config: { isPublic: true }, schema: { hide: true } };
  let reading: Promise<Console> | undefined;

  /** Once; until then it is looked for, so that it may also be built after the start. */
  async function read(): Promise<Console> {
    if (reading !== undefined) return reading;
    const dir = findConsoleDir(consoleDir);
    if (dir === null) throw new ApiError("not_found", { message: notBuilt });
    reading = readConsole(dir);
    reading.catch(() => {
      reading = undefined;
    });
    return reading;
  }

  async function answer(path: string, request: FastifyRequest, reply: FastifyReply) {
    reply.headers(headers);
    const file = isWithin(path) ? await (await read()).find(path) : undefined;
    if (file === undefined) throw new ApiError("not_found", { message: "There is no such file." });
    const {
      statusCode,
      headers: more,
      body,
    } = answerWith(file.document, request.headers, file.cacheControl);
    return reply.code(statusCode).headers(more).send(body);
  }

  app.get("/", options, async (_request, reply) => {
    if (reading === undefined && findConsoleDir(consoleDir) === null)
      throw new ApiError("not_found");
    return reply.redirect(root, 302);
  });
  app.get(root, options, (request, reply) => answer("", request, reply));
  app.get<{ Params: { "*": string } }>(`${root}/*`, options, (request, reply) =>
    answer(request.params["*"], request, reply),
  );
}

/**
 * Whether the path stays within the console. Files are found by name among those that were read, so that
 * another path is not a page either.
 */
function isWithin(path: string): boolean {
  return !/[\\\0]/.test(path) && !path.split("/").some((part) => part === ".." || part === ".");
}

/** Returns headers that allow only the console's files to run, and only stored media from elsewhere. */
function securityHeaders({ storage }: Config): Record<string, string> {
  const media = storage.kind === "s3" ? ` ${new URL(storage.endpoint).origin}` : "";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data:${media}`,
    `media-src 'self' blob:${media}`,
    `connect-src 'self'${media}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer", // links with a token open here
    "x-content-type-options": "nosniff",
  };
}
