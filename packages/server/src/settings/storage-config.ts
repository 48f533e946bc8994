type S3Key = "endpoint" | "bucket" | "region" | "accessKeyId" | "secretAccessKey";

export type StorageConfig =
  | { kind: "disk"; dir: string }
  | ({ kind: "s3" } & Record<S3Key, string>);

type StorageValues = { region: string } & Record<"dir" | Exclude<S3Key, "region">, string | null>;

/** A folder or a bucket, and all that it needs. */
export function readStorage(
  values: StorageValues,
  refuse: (setting: "dir" | "bucket", message: string) => null,
): StorageConfig | null {
  const { dir, endpoint, bucket, region, accessKeyId, secretAccessKey } = values;
  if (dir === null && bucket === null)
    return refuse(
      "dir",
      "is missing: a folder for files (one machine), or S3_BUCKET with the other S3_ settings",
    );
  if (dir !== null && bucket !== null)
    return refuse("dir", "set either STORAGE_DIR (one machine) or the S3_ settings, not both");
  if (dir !== null) return { kind: "disk", dir };
  if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null)
    return refuse(
      "bucket",
      "S3 needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY",
    );
  return { kind: "s3", endpoint, bucket, region, accessKeyId, secretAccessKey };
}
