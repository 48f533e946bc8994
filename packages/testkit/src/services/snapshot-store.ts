import { request } from "node:http";
import { PutBucketPolicyCommand, S3Client } from "@aws-sdk/client-s3";
import { serve } from "../serve.ts";
import { type S3, startS3 } from "./s3.ts";

/** S3 for the snapshots of an engine cluster. */
export interface SnapshotStore extends AsyncDisposable {
  /** The environment that a node needs to reach the store. */
  readonly env: Readonly<Record<string, string>>;
  readonly s3: S3;
}

const bucket = "engine";

/**
 * Restate replaces the pointer to a partition's newest snapshot only where its ETag is the expected one
 * (`If-Match`). Ceph 16.2 compares the header with its quotes and refuses every such write (412), so a
 * server in front of it takes the quotes away. That breaks the signature: the bucket is open to all,
 * which on loopback is everybody.
 */
export async function startSnapshotStore(dir: string): Promise<SnapshotStore> {
  await using started = new AsyncDisposableStack();
  const s3 = started.use(await startS3({ dir }));
  await s3.createBucket(bucket);
  await openToAll(s3);
  const front = started.use(await startFront(s3.endpoint));
  const everything = started.move();
  const setting = (name: string) => `RESTATE_WORKER__SNAPSHOTS__${name}`;
  return {
    s3,
    env: {
      [setting("DESTINATION")]: `s3://${bucket}/snapshots`,
      [setting("AWS_ENDPOINT_URL")]: front.url,
      [setting("AWS_ALLOW_HTTP")]: "true",
      [setting("AWS_REGION")]: s3.region,
      [setting("AWS_ACCESS_KEY_ID")]: s3.accessKeyId,
      [setting("AWS_SECRET_ACCESS_KEY")]: s3.secretAccessKey,
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

async function openToAll(s3: S3): Promise<void> {
  const { endpoint, region } = s3;
  const client = new S3Client({ endpoint, region, credentials: s3, forcePathStyle: true });
  const Resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const Statement = [{ Effect: "Allow", Principal: "*", Action: "s3:*", Resource }];
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
  try {
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
  } finally {
    client.destroy();
  }
}

function startFront(endpoint: string) {
  return serve((incoming, outgoing) => {
    const { authorization: _, "x-amz-date": __, "if-match": expected, ...rest } = incoming.headers;
    const headers =
      expected === undefined ? rest : { ...rest, "if-match": expected.replaceAll('"', "") };
    const options = { method: incoming.method, headers };
    const forwarded = request(`${endpoint}${incoming.url}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
}
