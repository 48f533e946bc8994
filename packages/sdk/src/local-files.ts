import { newKey } from "./abort.ts";
import { FileError } from "./errors.ts";

type Files = Pick<
  typeof import("node:fs/promises"),
  "mkdir" | "open" | "readFile" | "rename" | "rm"
>;

/**
 * The file system of Node, Bun and Deno. It is asked for and not imported, so that bundlers for browsers
 * and edge workers find nothing of Node in this package.
 */
function builtin<Module>(name: string): Module {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const found = process?.getBuiltinModule?.(name);
  if (found === undefined || found === null)
    throw new FileError("There is no file system here: give a Blob instead of a path.", {
      code: "no_file_system",
    });
  return found as Module;
}

/** A file by its `file:` URL, read as it is needed. */
export async function openFile(url: URL): Promise<Blob> {
  const { openAsBlob } = builtin<Partial<typeof import("node:fs")>>("node:fs");
  try {
    if (openAsBlob !== undefined) return (await openAsBlob(url)) as Blob;
    return new Blob([new Uint8Array(await builtin<Files>("node:fs/promises").readFile(url))]);
  } catch (cause) {
    throw new FileError(`${url.pathname} cannot be read.`, { code: "file_unreadable", cause });
  }
}

/**
 * Writes a file under another name and renames it: a file of this name is always whole. A missing
 * folder is made, so that paid results are not lost.
 */
export async function writeFile(path: string | URL, chunks: AsyncIterable<Uint8Array>) {
  const { mkdir, open, rename, rm } = builtin<Files>("node:fs/promises");
  const { dirname } = builtin<typeof import("node:path")>("node:path");
  const suffix = `.${newKey().slice(0, 8)}.part`;
  const unfinished = typeof path === "string" ? path + suffix : new URL(path.href + suffix);
  try {
    await mkdir(typeof path === "string" ? dirname(path) : new URL(".", path), { recursive: true });
    const file = await open(unfinished, "wx");
    try {
      for await (const chunk of chunks) await file.appendFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {}); // its folder may be none
    if (error instanceof Error && "syscall" in error && "code" in error)
      throw new FileError(`${path} cannot be written (${error.code}).`, {
        code: "file_unwritable",
        cause: error,
      });
    throw error;
  }
}
