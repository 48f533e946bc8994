import { hostname } from "node:os";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { StorageUnfit } from "./storage.ts";

/** Refusals of which no later try is better: no access, no bucket, another region. */
const finalStatuses = [301, 400, 403];
const body = "written to check the storage; it can be removed\n";

interface Bucket {
  client: S3Client;
  bucket: string;
  /** Whether this process removes objects itself; an api does not. */
  removes: boolean;
  within(): { abortSignal: AbortSignal };
}

/**
 * Returns a check that puts, gets, lists and deletes its own object until that has worked once, and after
 * that only requests the bucket. Processes that may not delete share one object, which stays.
 */
export function createS3Check(bucket: Bucket): () => Promise<void> {
  const { client, bucket: Bucket, within } = bucket;
  const Key = bucket.removes ? `health/${hostname()}-${crypto.randomUUID()}` : "health/api";
  let isProven = false;

  async function write(): Promise<void> {
    const steps: [string, () => Promise<unknown>][] = [
      ["put", () => client.send(new PutObjectCommand({ Bucket, Key, Body: body }), within())],
      ["get", async () => drop(await client.send(new GetObjectCommand({ Bucket, Key }), within()))],
      ["list", () => client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }), within())],
    ];
    if (bucket.removes)
      steps.push(["delete", () => client.send(new DeleteObjectCommand({ Bucket, Key }), within())]);
    const missing: string[] = [];
    for (const [right, take] of steps)
      await take().catch((error) => {
        if (missing.length > 0 && error instanceof NoSuchKey) return; // it could not be put
        const reason = refusalOf(error);
        if (reason === null) throw error;
        if (reason === "NoSuchBucket")
          throw new StorageUnfit(`the bucket ${Bucket} (S3_BUCKET) does not exist`);
        missing.push(`${right} (${reason})`);
      });
    if (missing.length > 0)
      throw new StorageUnfit(
        `the key of S3_ACCESS_KEY_ID may not, in the bucket ${Bucket}: ${missing.join(", ")}`,
      );
  }

  return async () => {
    if (isProven) await client.send(new HeadBucketCommand({ Bucket }), within());
    else await write();
    isProven = true;
  };
}

function drop({ Body }: { Body?: unknown }): void {
  (Body as { destroy?(): void } | undefined)?.destroy?.();
}

/** Returns the code of a final refusal; null: the storage is unreachable, or the next try may succeed. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof S3ServiceException)) return null;
  const { httpStatusCode = 0 } = error.$metadata;
  if (error.name === "NoSuchBucket") return error.name;
  return finalStatuses.includes(httpStatusCode) ? error.name : null;
}
