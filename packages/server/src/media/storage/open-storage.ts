import type { Config } from "../../config.ts";
import { openDiskStorage } from "./disk-storage.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

/** The storage that the settings name. */
export function openStorage({ storage, links }: Pick<Config, "storage" | "links">): Storage {
  return storage.kind === "disk"
    ? openDiskStorage({ root: storage.dir, ...links })
    : openS3Storage(storage);
}
