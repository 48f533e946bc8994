import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { dataSha256Of } from "@zoetrope/testkit/data-sha256.ts";
import { type Bucket, readBucket } from "@zoetrope/testkit/services/read-bucket.ts";
import { queryEngine } from "@zoetrope/testkit/services/restate-admin.ts";
import type { ClientLine } from "../kit/client-log.ts";
import { readLines } from "../kit/json-lines.ts";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import type { Evidence, Invocation, StoredObject, VendorLine } from "./evidence.ts";
import { findLeaks, type Secret } from "./find-leaks.ts";
import { readRows } from "./rows.ts";

export interface Sources {
  /** The URL of the database as its owner, on a server that keeps the times of commits. */
  databaseUrl: string;
  vendorLog: string;
  receiverLog: string;
  clientLog: string;
  engineAdminUrl: string;
  /** The folder of the disk storage, or the bucket. */
  objects: string | Bucket;
  /** Files and folders that must hold no secret. */
  searched: string[];
  secrets: Secret[];
  crashes: string[];
}

export async function collectEvidence(sources: Sources): Promise<Evidence> {
  return {
    rows: await readRows(sources.databaseUrl),
    vendor: await readLines<VendorLine>(sources.vendorLog),
    received: await readLines<ReceivedRequest>(sources.receiverLog),
    clients: await readLines<ClientLine>(sources.clientLog),
    invocations: await readInvocations(sources.engineAdminUrl),
    objects:
      typeof sources.objects === "string"
        ? await readFolder(sources.objects)
        : await readBucket(sources.objects),
    leaks: await findLeaks(sources.searched, sources.secrets),
    crashes: sources.crashes,
  };
}

export async function readInvocations(adminUrl: string): Promise<Invocation[]> {
  const rows = await queryEngine(
    adminUrl,
    `select id, target_service_name, target_service_key, target_handler_name, status
     from sys_invocation where status <> 'completed'`,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    service: String(row["target_service_name"]),
    taskId: String(row["target_service_key"]),
    handler: String(row["target_handler_name"]),
    status: String(row["status"]),
  }));
}

/** Complete objects only: other endings are partial files, perhaps left by a crash. */
async function readFolder(dir: string): Promise<Map<string, StoredObject>> {
  const names = await readdir(dir, { recursive: true }).catch(() => []);
  const objects = new Map<string, StoredObject>();
  for (const name of names) {
    if (!/^[a-z0-9]+\.[a-z0-9]{2,4}$/.test(basename(name))) continue;
    const path = join(dir, name);
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    objects.set(basename(name), {
      sizeBytes: (await stat(path)).size,
      sha256: hash.digest("hex"),
      dataSha256: dataSha256Of(await readFile(path)),
    });
  }
  return objects;
}
