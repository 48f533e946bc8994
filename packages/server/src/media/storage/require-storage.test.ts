import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  DeleteBucketCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { type S3, startS3 } from "@zoetrope/testkit/services/s3.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStorage } from "./open-storage.ts";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../main.ts", import.meta.url));

const cleanUp = new AsyncDisposableStack();
let scratch: Scratch;
let s3: S3;
beforeAll(async () => {
  scratch = cleanUp.use(await makeScratch("require-storage"));
  s3 = cleanUp.use(await startS3({ dir: join(scratch.path, "s3") }));
});
afterAll(() => cleanUp.disposeAsync());

/** Denies actions on a bucket, also to its owner. */
async function deny(bucket: string, actions: string[]): Promise<void> {
  const client = new S3Client({ ...clientOf(), forcePathStyle: true });
  const denied = {
    Effect: "Deny",
    Principal: "*",
    Action: actions,
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  };
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [denied] });
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
  client.destroy();
}

async function listKeys(bucket: string): Promise<(string | undefined)[]> {
  const client = new S3Client({ ...clientOf(), forcePathStyle: true });
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  client.destroy();
  return Contents.map(({ Key }) => Key);
}

function clientOf() {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3;
  return { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
}

function configOf(bucket: string) {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3;
  const settings = { endpoint, region, accessKeyId, secretAccessKey, bucket };
  const links = { publicUrl: "http://127.0.0.1:8080", secret: "a secret" };
  return { storage: { kind: "s3" as const, ...settings }, links };
}

/** Starts a process of the service with this bucket, and an unreachable database. */
async function start(role: "api" | "worker", bucket: string) {
  const env = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
    PUBLIC_URL: "http://127.0.0.1:9",
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    VENDORS: "[]",
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: bucket,
  };
  return run(process.execPath, [main, role], { env, timeout: 180_000 }).then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number | null; stderr: string }) => error,
  );
}

describe.each(["api", "worker"] as const)("%s", (role) => {
  test("does not start without its bucket, and says so", async () => {
    const { code, stderr } = await start(role, "nowhere");
    expect(stderr).toContain("the bucket nowhere (S3_BUCKET) does not exist");
    expect(code).toBe(1);
  });

  test("does not start with a key that may not write, and names the right", async () => {
    const bucket = `read-only-${role}`;
    await s3.createBucket(bucket);
    await deny(bucket, ["s3:PutObject"]);
    const { code, stderr } = await start(role, bucket);
    expect(stderr).toContain(`in the bucket ${bucket}: put (AccessDenied)`);
    expect(code).toBe(1);
  });
});

test("an api needs no right to delete and leaves one object, however many there are; a worker needs it", async () => {
  await s3.createBucket("kept");
  await deny("kept", ["s3:DeleteObject"]);
  const ofApi = openStorage(configOf("kept"), false);
  const ofWorker = openStorage(configOf("kept"));
  const another = openStorage(configOf("kept"), false);
  await Promise.all([ofApi.check(), another.check()]);
  expect(await listKeys("kept")).toEqual(["health/api"]);
  await another.close();
  await expect(ofWorker.check()).rejects.toThrow("in the bucket kept: delete (AccessDenied)");
  await Promise.all([ofApi.close(), ofWorker.close()]);
});

test("a bucket that is gone later fails the check", async () => {
  const storage = openStorage(configOf("later"));
  await expect(storage.check()).rejects.toThrow("does not exist");
  await s3.createBucket("later");
  await storage.check(); // by writing, which leaves nothing
  const client = new S3Client({ ...clientOf(), forcePathStyle: true });
  await client.send(new DeleteBucketCommand({ Bucket: "later" })); // refused unless it is empty
  client.destroy();
  await expect(storage.check()).rejects.toThrow();
  await storage.close();
});
