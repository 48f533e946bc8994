import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "./services/ports.ts";
import type { S3 } from "./services/s3.ts";
import type { Env } from "./start-server.ts";

/** Settings of an api or a worker on this machine that has a database and nothing else: no engine, no vendors. */
export async function databaseOnlySettings(dir: string, databaseUrl: string, apiPort?: number) {
  const port = apiPort ?? (await freePort());
  return {
    DATABASE_URL: databaseUrl,
    API_PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RESTATE_INGRESS_URL: `http://127.0.0.1:${await freePort()}`, // nobody listens there
    WORKER_PORT: String(await freePort()),
    HEALTH_PORT: "0", // several workers on one machine
    DRAIN_NOTICE_MS: "0",
    STORAGE_DIR: join(dir, "media"),
    WORK_DIR: join(dir, "work"),
    VENDORS: "[]",
    KEY_RING: `development ${randomBytes(32).toString("base64")}`,
    VENDOR_CALLBACK_SECRET: randomBytes(32).toString("hex"),
    REQUESTS_PER_MINUTE_MAX: "1000000", // load comes through few keys here
    ALLOW_LOOPBACK: "true",
  };
}

/** Settings that put storage into a bucket instead of the folder. */
export function s3Settings(s3: S3, bucket: string): Env {
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: bucket,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
