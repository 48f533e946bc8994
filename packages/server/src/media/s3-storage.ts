import assert from "node:assert";
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { freeBuffers } from "./free-buffers.ts";
import { chunksInS3 } from "./s3-chunks.ts";
import {
  attachmentOf,
  contentTypeOf,
  isObjectKey,
  isPrivateKey,
  privateCache,
  type Storage,
} from "./storage.ts";

interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const linkSeconds = 15 * 60;

/** Any S3. Readers get presigned links, so the bytes never pass through this service. */
export function openS3Storage(settings: S3Settings): Storage {
  const { endpoint, bucket: Bucket, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    credentials: { accessKeyId, secretAccessKey },
  });
  return {
    async putFile(key, path, facts) {
      assert(isObjectKey(key));
      const command = new PutObjectCommand({
        Bucket,
        Key: key,
        Body: pipeline(createReadStream(path), freeBuffers(), () => {}),
        ContentLength: facts.sizeBytes,
        ContentType: facts.contentType,
        IfNoneMatch: "*",
      });
      // The checksum becomes part of the signature, which every S3 verifies against the bytes;
      // the newer checksum headers are ignored by some.
      command.middlewareStack.add(
        (next) => (args) => {
          const request = args.request as { headers: Record<string, string> };
          request.headers["x-amz-content-sha256"] = facts.sha256;
          return next(args);
        },
        { step: "build", name: "signChecksum" },
      );
      await client.send(command);
    },
    async locate(key, method = "GET") {
      assert(isObjectKey(key));
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: key }));
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
      const answer = {
        Bucket,
        Key: key,
        ResponseContentDisposition: attachmentOf(key),
        ResponseContentType: contentTypeOf(key),
        ...(isPrivateKey(key) ? { ResponseCacheControl: privateCache } : {}),
      };
      const command =
        method === "GET" ? new GetObjectCommand(answer) : new HeadObjectCommand(answer);
      return { kind: "link", url: await getSignedUrl(client, command, { expiresIn: linkSeconds }) };
    },
    async openRead(key) {
      assert(isObjectKey(key));
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
        assert(Body instanceof Readable);
        return Body;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    ...chunksInS3(client, settings),
    async remove(key) {
      assert(isObjectKey(key));
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    },
    async check() {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: "health" }));
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
      }
    },
    async close() {
      client.destroy();
    },
  };
}
