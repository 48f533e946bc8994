import type { Config } from "../../config.ts";
import { openDiskStorage } from "./disk-storage.ts";
import type { S3Settings } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

/** The storage that the settings name. */
export function openStorage({ storage, links }: Pick<Config, "storage" | "links">): Storage {
  return storage.kind === "disk"
    ? openDiskStorage({ root: storage.dir, ...links })
    : openS3(storage);
}

/** Loads S3's SDK, a tenth of all code, only where it is set, and at the start: files may change later. */
function openS3(settings: S3Settings): Storage {
  const opened = import("./s3-storage.ts").then(({ openS3Storage }) => openS3Storage(settings));
  return {
    putFile: async (...args) => (await opened).putFile(...args),
    locate: async (...args) => (await opened).locate(...args),
    openRead: async (...args) => (await opened).openRead(...args),
    remove: async (...args) => (await opened).remove(...args),
    async *listSince(since) {
      yield* (await opened).listSince(since);
    },
    uploadLink: async (...args) => (await opened).uploadLink(...args),
    listChunks: async (...args) => (await opened).listChunks(...args),
    receiveChunk: null,
    check: async () => (await opened).check(),
    close: async () => (await opened).close(),
  };
}
