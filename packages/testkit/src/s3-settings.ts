import type { Env } from "@zoetrope/dev/start-server.ts";
import type { S3 } from "./services/s3.ts";

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
