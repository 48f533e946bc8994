import assert from "node:assert";
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { freeBuffers } from "../free-buffers.ts";
import { createS3Check } from "./s3-check.ts";
import { chunksInS3 } from "./s3-chunks.ts";
import { contentTypeOf, deliveryOf, isObjectKey, noteKey, type Storage } from "./storage.ts";

export interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const linkSeconds = 15 * 60;

/** The limits on waiting for a storage that does not respond. */
interface S3Limits {
  connectMsMax: number;
  /** The maximum time that a connection may be idle during a call. */
  idleMsMax: number;
  /** The maximum time of one call with its retries, without the bytes of a file. */
  callMsMax: number;
}

const usualLimits: S3Limits = { connectMsMax: 5_000, idleMsMax: 15_000, callMsMax: 20_000 };
const triesMax = 3;
/** A slower transfer is aborted. */
const bytesPerMsMin = 128;

/**
 * Any S3-compatible storage. Readers get presigned links, so the bytes never pass through this
 * service. Every call ends within a time that depends only on the size of the transfer.
 */
export function openS3Storage(
  settings: S3Settings,
  limits: S3Limits = usualLimits,
  removes = true,
): Storage {
  const { bucket: Bucket } = settings;
  const client = openClient(settings, limits);
  const within = (sizeBytes = 0) => ({ abortSignal: AbortSignal.timeout(msMaxOf(sizeBytes)) });
  const msMaxOf = (sizeBytes: number) => limits.callMsMax + Math.ceil(sizeBytes / bytesPerMsMin);
  return {
    async putFile(key, path, facts) {
      assert(isObjectKey(key));
      const body = pipeline(createReadStream(path), freeBuffers(), () => {});
      const command = new PutObjectCommand({
        Bucket,
        Key: key,
        Body: body,
        ContentLength: facts.sizeBytes,
        ContentType: facts.contentType,
        IfNoneMatch: "*",
      });
      signChecksum(command, facts.sha256);
      try {
        await client.send(command, within(facts.sizeBytes));
      } finally {
        body.destroy(); // an aborted call leaves the file open
      }
    },
    async locate(key, method = "GET", seconds = linkSeconds, delivery = deliveryOf(key)) {
      assert(isObjectKey(key));
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: key }), within());
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
      const answer = {
        Bucket,
        Key: key,
        ResponseContentDisposition: delivery.disposition,
        ResponseContentType: contentTypeOf(key),
        ResponseCacheControl: delivery.cacheControl,
      };
      const command =
        method === "GET" ? new GetObjectCommand(answer) : new HeadObjectCommand(answer);
      return { kind: "link", url: await getSignedUrl(client, command, { expiresIn: seconds }) };
    },
    async openRead(key) {
      assert(isObjectKey(key));
      try {
        const opening = new AbortController();
        const timer = setTimeout(() => opening.abort(), limits.callMsMax);
        const { Body, ContentLength = 0 } = await client
          .send(new GetObjectCommand({ Bucket, Key: key }), { abortSignal: opening.signal })
          .finally(() => clearTimeout(timer));
        assert(Body instanceof Readable);
        return endWithin(Body, msMaxOf(ContentLength));
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    ...chunksInS3(client, settings, limits.callMsMax),
    async remove(key) {
      assert(isObjectKey(key));
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }), within());
    },
    listSince: (since) => listSince(client, Bucket, since, within),
    ...notesInS3(client, Bucket, within),
    check: createS3Check({ client, bucket: Bucket, removes, within }),
    async close() {
      client.destroy();
    },
  };
}

function notesInS3(
  client: S3Client,
  Bucket: string,
  within: () => { abortSignal: AbortSignal },
): Pick<Storage, "readNote" | "writeNote"> {
  return {
    async readNote(name) {
      try {
        const note = new GetObjectCommand({ Bucket, Key: noteKey(name) });
        const { Body } = await client.send(note, within());
        return (await Body?.transformToString()) ?? "";
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async writeNote(name, text) {
      const note = { Bucket, Key: noteKey(name), Body: text, ContentType: "text/plain" };
      await client.send(new PutObjectCommand(note), within());
    },
  };
}

async function* listSince(
  client: S3Client,
  Bucket: string,
  since: Date,
  within: () => { abortSignal: AbortSignal },
): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const page = new ListObjectsV2Command({ Bucket, ContinuationToken: after });
    const listed: ListObjectsV2CommandOutput = await client.send(page, within());
    for (const { Key = "", LastModified } of listed.Contents ?? [])
      if (isObjectKey(Key) && LastModified !== undefined && LastModified >= since) yield Key;
    after = listed.NextContinuationToken;
  } while (after !== undefined);
}

const say = () => {};
/** Silences the SDK, which prints plain text on the console. Failures are thrown, and the caller logs them. */
const silent = { trace: say, debug: say, info: say, warn: say, error: say };

function openClient(settings: S3Settings, limits: S3Limits): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: triesMax,
    logger: silent,
    requestHandler: { connectionTimeout: limits.connectMsMax, socketTimeout: limits.idleMsMax },
  });
}

/**
 * The checksum becomes part of the signature, which every S3 verifies against the bytes; the newer
 * checksum headers are ignored by some.
 */
function signChecksum(command: PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { headers: Record<string, string> };
      request.headers["x-amz-content-sha256"] = sha256;
      return next(args);
    },
    { step: "build", name: "signChecksum" },
  );
}

function endWithin(stream: Readable, msMax: number): Readable {
  const timer = setTimeout(
    () => stream.destroy(new Error(`the object was not read within ${msMax} ms`)),
    msMax,
  );
  timer.unref();
  return stream.once("close", () => clearTimeout(timer));
}
