import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3, startS3 } from "./s3.ts";
import { makeScratch, type Scratch } from "./scratch.ts";

let scratch: Scratch;
let s3: S3;

beforeAll(async () => {
  scratch = await makeScratch("s3");
  s3 = await startS3({ dir: join(scratch.path, "one") });
  await s3.createBucket("media");
});

afterAll(async () => {
  await s3.stop();
  await scratch.remove();
});

function clientWith(secretAccessKey: string): S3Client {
  return new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
  });
}

async function read(client: S3Client, key: string): Promise<string | undefined> {
  const got = await client.send(new GetObjectCommand({ Bucket: "media", Key: key }));
  return got.Body?.transformToString();
}

test("takes what is signed with the right secret and refuses a wrong one", async () => {
  const client = clientWith(s3.secretAccessKey);
  await client.send(new PutObjectCommand({ Bucket: "media", Key: "a", Body: "first" }));
  expect(await read(client, "a")).toBe("first");
  await expect(read(clientWith("wrong"), "a")).rejects.toMatchObject({
    name: "SignatureDoesNotMatch",
  });
});

test("a put that must not overwrite gives 412", async () => {
  const client = clientWith(s3.secretAccessKey);
  const put = { Bucket: "media", Key: "once", IfNoneMatch: "*" };
  await client.send(new PutObjectCommand({ ...put, Body: "first" }));
  await expect(client.send(new PutObjectCommand({ ...put, Body: "second" }))).rejects.toMatchObject(
    { $metadata: { httpStatusCode: 412 } },
  );
  expect(await read(client, "once")).toBe("first");
});

test("keeps what is stored through an outage of the gateway", async () => {
  const client = clientWith(s3.secretAccessKey);
  await client.send(new PutObjectCommand({ Bucket: "media", Key: "kept", Body: "here" }));
  await s3.kill();
  await expect(read(client, "kept")).rejects.toThrow();
  await s3.restart();
  expect(await read(client, "kept")).toBe("here");
});

test("a second one beside it has its own ports, and is gone after stop", async () => {
  const other = await startS3({ dir: join(scratch.path, "two") });
  expect(other.endpoint).not.toBe(s3.endpoint);
  const { pids } = other;
  expect(pids.filter(isAlive)).toHaveLength(3);
  await other.stop();
  expect(pids.filter(isAlive)).toEqual([]);
});
