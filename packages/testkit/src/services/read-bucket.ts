import { createHash } from "node:crypto";
import { basename } from "node:path";
import { GetObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import { dataSha256Of } from "../data-sha256.ts";
import { inParallel } from "../in-parallel.ts";
import type { S3 } from "./s3.ts";

export interface Bucket {
  readonly s3: S3;
  readonly bucket: string;
}

interface StoredObject {
  sizeBytes: number;
  sha256: string;
  dataSha256: string | null;
}

const atOnceMax = 4;

/** Returns every object with its checksum. */
export async function readBucket({ s3, bucket }: Bucket): Promise<Map<string, StoredObject>> {
  const { endpoint, region } = s3;
  const client = new S3Client({ endpoint, region, credentials: s3, forcePathStyle: true });
  const objects = new Map<string, StoredObject>();
  const read = async (Key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const dataSha256 = dataSha256Of(bytes);
    objects.set(basename(Key), { sizeBytes: bytes.length, sha256, dataSha256 });
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
