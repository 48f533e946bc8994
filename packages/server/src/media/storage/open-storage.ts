import type { Config } from "../../config.ts";
import { openDiskStorage } from "./disk-storage.ts";
import type { S3Settings } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

/** The storage that the settings name. */
export function openStorage({ storage, links }: Pick<Config, "storage" | "links">): Storage {
  return storage.kind === "disk"
    ? openDiskStorage({ root: storage.dir, ...links })
    : openS3Later(storage);
}

/** S3's SDK takes as long to load as a tenth of the service: only with the first call. */
function openS3Later(settings: S3Settings): Storage {
  let opened: Promise<Storage> | undefined;
  const open = () => {
    opened ??= import("./s3-storage.ts").then(({ openS3Storage }) => openS3Storage(settings));
    return opened;
  };
  return {
    putFile: async (...args) => (await open()).putFile(...args),
    locate: async (...args) => (await open()).locate(...args),
    openRead: async (...args) => (await open()).openRead(...args),
    remove: async (...args) => (await open()).remove(...args),
    async *listSince(since) {
      yield* (await open()).listSince(since);
    },
    uploadLink: async (...args) => (await open()).uploadLink(...args),
    listChunks: async (...args) => (await open()).listChunks(...args),
    receiveChunk: null,
    check: async () => (await open()).check(),
    close: async () => (await opened)?.close(),
  };
}
