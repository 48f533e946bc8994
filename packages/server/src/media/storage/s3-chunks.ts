import assert from "node:assert";
import { ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import { type ChunkStorage, isChunkKey, isChunkStem } from "./chunks.ts";

/** Chunks in S3: clients send them directly to the storage. */
export function chunksInS3(
  client: S3Client,
  { endpoint, bucket }: { endpoint: string; bucket: string },
  callMsMax: number,
): ChunkStorage {
  const presigner = new S3RequestPresigner(client.config);
  return {
    async uploadLink(chunkKey, sizeBytes, secondsMax) {
      assert(isChunkKey(chunkKey));
      return uploadLinkOf(presigner, `${endpoint}/${bucket}/${chunkKey}`, sizeBytes, secondsMax);
    },
    async listChunks(stem) {
      assert(isChunkStem(stem));
      const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: stem });
      const { Contents: found = [], IsTruncated: isTruncated } = await client.send(command, {
        abortSignal: AbortSignal.timeout(callMsMax),
      });
      assert(isTruncated !== true);
      return new Map(found.map(({ Key, Size }) => [Key ?? "", Size ?? 0]));
    },
    receiveChunk: null,
  };
}

/**
 * The length is part of the signature, so the store refuses any other. Straight to the signer: by way
 * of a command, a hundred links cost 50 ms of a processor, and so 10.
 */
async function uploadLinkOf(
  presigner: S3RequestPresigner,
  address: string,
  sizeBytes: number,
  secondsMax: number,
): Promise<string> {
  const { protocol, hostname, port, pathname: path } = new URL(address);
  const request = {
    method: "PUT",
    protocol,
    hostname,
    path,
    query: {},
    ...(port === "" ? {} : { port: Number(port) }),
    headers: { "content-length": String(sizeBytes) },
  };
  const { query = {} } = await presigner.presign(request, { expiresIn: secondsMax });
  const parts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${address}?${new URLSearchParams(Object.fromEntries(parts))}`;
}
