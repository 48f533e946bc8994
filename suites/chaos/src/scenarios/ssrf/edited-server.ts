import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copyServer } from "../../kit/copy-server.ts";

/** A text that occurs exactly once in a file of the server's `src`, and its replacement. */
export interface Edit {
  file: string;
  text: string;
  instead: string;
}

export interface EditedServer {
  /** The folder to start api and worker from. */
  dir: string;
  /** Writes the source with these edits and no others. Running processes see them after a restart. */
  edit(edits: readonly Edit[]): Promise<void>;
}

/** A copy of the server's package whose source can be edited. */
export async function openEditedServer(dir: string): Promise<EditedServer> {
  await copyServer(dir);
  const originals = new Map<string, string>();
  return {
    dir,
    async edit(edits) {
      for (const [path, source] of originals) await writeFile(path, source);
      for (const { file, text, instead } of edits) {
        const path = join(dir, "src", file);
        const source = await readFile(path, "utf8");
        if (!originals.has(path)) originals.set(path, source);
        const times = source.split(text).length - 1;
        if (times !== 1) throw new Error(`${file} has ${times} times, not once: ${text}`);
        await writeFile(
          path,
          source.replace(text, () => instead),
        );
      }
    },
  };
}
