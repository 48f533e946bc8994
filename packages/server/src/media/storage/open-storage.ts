import type { Config } from "../../settings/config.ts";
import { openDiskStorage } from "./disk-storage.ts";
import type { S3Settings } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

/** The storage that the settings name. `removes`: whether this process needs the right to delete. */
export function openStorage(
  { storage, links }: Pick<Config, "storage" | "links">,
  removes = true,
): Storage {
  return storage.kind === "disk"
    ? openDiskStorage({ root: storage.dir, ...links })
    : openS3(storage, removes);
}

/** Loads S3's SDK, a tenth of all code, only where it is set, and at the start: files may change later. */
function openS3(settings: S3Settings, removes: boolean): Storage {
  const opened = import("./s3-storage.ts").then(({ openS3Storage }) =>
    openS3Storage(settings, undefined, removes),
  );
  return {
    putFile: async (...args) => (await opened).putFile(...args),
    locate: async (...args) => (await opened).locate(...args),
    openRead: async (...args) => (await opened).openRead(...args),
    remove: async (...args) => (await opened).remove(...args),
    async *listSince(since) {
      yield* (await opened).listSince(since);
    },
    readNote: async (name) => (await opened).readNote(name),
    writeNote: async (name, text) => (await opened).writeNote(name, text),
    uploadLink: async (...args) => (await opened).uploadLink(...args),
    listChunks: async (...args) => (await opened).listChunks(...args),
    receiveChunk: null,
    check: async () => (await opened).check(),
    close: async () => (await opened).close(),
  };
}
