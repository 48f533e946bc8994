import { createHash } from "node:crypto";
import { basename } from "node:path";
import { GetObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import { inParallel } from "../in-parallel.ts";
import type { S3 } from "./s3.ts";

export interface Bucket {
  readonly s3: S3;
  readonly bucket: string;
}

interface StoredObject {
  sizeBytes: number;
  sha256: string;
}

const atOnceMax = 4;

/** Every object, with a checksum of its own. */
export async function readBucket({ s3, bucket }: Bucket): Promise<Map<string, StoredObject>> {
  const { endpoint, region } = s3;
  const client = new S3Client({ endpoint, region, credentials: s3, forcePathStyle: true });
  const objects = new Map<string, StoredObject>();
  const read = async (Key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    objects.set(basename(Key), { sizeBytes: bytes.length, sha256 });
  };
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket }))
      await inParallel(
        atOnceMax,
        (page.Contents ?? []).flatMap(({ Key }) => Key ?? []),
        read,
      );
  } finally {
    client.destroy();
  }
  return objects;
}
