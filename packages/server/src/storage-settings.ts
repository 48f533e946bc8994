import type { Setting } from "./setting.ts";

type S3Key = "endpoint" | "bucket" | "region" | "accessKeyId" | "secretAccessKey";
export type StorageConfig =
  | { kind: "disk"; dir: string }
  | ({ kind: "s3" } & Record<S3Key, string>);

type Given = Record<"dir" | Exclude<S3Key, "region">, string | null> & { region: string };
type Refuse = (setting: Setting<unknown>, message: string) => null;

/** Either a folder or a bucket with all that it needs. */
export function readStorage(
  settings: Record<"dir" | "bucket", Setting<unknown>>,
  given: Given,
  refuse: Refuse,
): StorageConfig | null {
  const { dir, endpoint, bucket, region, accessKeyId, secretAccessKey } = given;
  if ((dir === null) === (bucket === null))
    return refuse(
      settings.dir,
      "set either STORAGE_DIR (one machine) or the S3_ settings, not both",
    );
  if (dir !== null) return { kind: "disk", dir };
  if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null)
    return refuse(
      settings.bucket,
      "S3 needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY",
    );
  return { kind: "s3", endpoint, bucket, region, accessKeyId, secretAccessKey };
}
