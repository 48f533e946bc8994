import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, sep } from "node:path";
import { prepareDocument, type ReadyDocument } from "../http/ready-document.ts";

/** Far above what a build of the console has: a wrong folder must not fill the memory. */
const filesMax = 2_000;
const bytesMax = 64 * 1024 * 1024;
const indexName = "index.html";

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
/** A file whose name has the hash of its content, as the build writes them. */
const hashedName = /^assets\/(.*\/)?[^/]+-[\w-]{8,}\.\w+$/;

/** The console's files as they were when the first of them was read. */
export interface Console {
  find(path: string): Promise<ConsoleFile | undefined>;
}

export interface ConsoleFile {
  document: ReadyDocument;
  cacheControl: string;
}

/** The folder of the built console: the given one, or of the package where it is installed. Null: not built. */
export function findConsoleDir(configured: string | null): string | null {
  const dir = configured ?? findPackage();
  return dir !== null && existsSync(join(dir, indexName)) ? dir : null;
}

function findPackage(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve("@zoetrope/console/package.json");
    return join(dirname(manifest), "dist");
  } catch {
    return null; // not installed
  }
}

/** Reads every file at once, so that they are of one build; each is compressed when it is first asked for. */
export async function readConsole(dir: string): Promise<Console> {
  const files = await readFiles(dir);
  const ready = new Map<string, Promise<ReadyDocument>>();
  return {
    async find(path) {
      const isPage = !(path.split("/").at(-1) ?? "").includes(".");
      const name = isPage ? indexName : path;
      const content = files.get(name);
      const contentType = contentTypes[extname(name)];
      if (content === undefined || contentType === undefined) return undefined;
      const document =
        ready.get(name) ??
        prepareDocument(contentType, content, {
          br: files.get(`${name}.br`),
          gzip: files.get(`${name}.gz`),
        });
      ready.set(name, document);
      return { document: await document, cacheControl: cacheControlOf(name) };
    },
  };
}

function cacheControlOf(name: string): string {
  if (name === indexName) return "no-store";
  return hashedName.test(name) ? "public, max-age=31536000, immutable" : "no-cache";
}

/** The regular files of a folder by their path in it. A link is no file: it could lead out of the folder. */
async function readFiles(dir: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (paths.length > filesMax || bytes > bytesMax)
    throw new Error(`${dir} has ${paths.length} files of ${bytes} bytes: this is no built console`);
  const files = new Map<string, Buffer>();
  for (const path of paths)
    files.set(relative(dir, path).split(sep).join("/"), await readFile(path));
  return files;
}
