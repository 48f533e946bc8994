import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Scratch extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * A directory of our own under the system's temporary one, with a short path (unix sockets allow
 * 107 bytes). Others may pass through but not list it: PostgreSQL, which refuses to run as root,
 * has to reach its data as another user.
 */
export async function makeScratch(label = "scratch"): Promise<Scratch> {
  const path = await mkdtemp(join(await realpath(tmpdir()), `zoetrope-${label}-`));
  await chmod(path, 0o711);
  // A server that is just ending may still write while we remove: hence the retries.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
