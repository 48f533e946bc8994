import { mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MediaContext } from "../context.ts";
import { readVersion } from "../settings/version.ts";
import { signBytes, timeStamp } from "./answer-signer.ts";
import type { Signed } from "./manifest.ts";
import { type Outcome, runSigner, SignerEnded } from "./run-signer.ts";
import { type SigningCertificate, signingCertificate } from "./signing-certificate.ts";

export type SigningContext = Pick<MediaContext, "config" | "log" | "programs">;

interface File {
  path: string;
  contentType: string;
}

/**
 * The action that made the file. `edited` was done by a generative model; `resized` was not, and says nothing
 * about where the source comes from. A `created` file has a parent if its vendor had signed it: the vendor's
 * untouched bytes.
 */
type Origin =
  | { action: "created"; parent: File | null }
  | { action: "edited" | "resized"; parent: File };

interface Order {
  input: File;
  outputPath: string;
  /** The name of the file in its manifest: the id of the task. */
  title: string;
  origin: Origin;
  /** Whose turn it is to run a program. */
  owner: string;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a signed copy of a local file, in a process for this file alone. Throws if it cannot be signed: that is
 * never the fault of the caller's input, and may be repeated. Takes a permit of `programs`, so its caller must
 * not hold one.
 */
export async function signFile(ctx: SigningContext, order: Order): Promise<Signed> {
  const certificate = signingCertificate(ctx.config);
  if (certificate === null) throw new Error("LABEL_CERTIFICATE is not set");
  const { owner, signal, title, origin, outputPath } = order;
  const entry = signal === undefined ? { owner } : { owner, signal };
  const dir = await mkdtemp(join(dirname(outputPath), "sign-"));
  try {
    const signed = await ctx.programs.use(entry, () => sign(ctx, certificate, order, dir));
    if (signed.parent === "unreadable")
      ctx.log.warn({ event: "label.parent.unreadable", title, action: origin.action });
    await rename(join(dir, "signed"), outputPath);
    return signed;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function sign(
  ctx: SigningContext,
  certificate: SigningCertificate,
  order: Order,
  dir: string,
): Promise<Signed> {
  const outcome = await runOn(ctx, certificate, order, dir, false).catch((error: unknown) => {
    // A stranger's file may end any parser. It must not keep our own file from being signed.
    const isParents = error instanceof SignerEnded && order.origin.parent !== null;
    if (!isParents) throw error;
    return runOn(ctx, certificate, order, dir, true);
  });
  if ("signed" in outcome) return outcome.signed;
  throw new Error(
    `the file cannot be signed: ${"fault" in outcome ? outcome.fault : "an unknown outcome"}`,
  );
}

function runOn(
  { config: { labels } }: SigningContext,
  certificate: SigningCertificate,
  { input, title, origin, signal }: Order,
  outputDir: string,
  ignoresParent: boolean,
): Promise<Outcome> {
  const { action, parent } = origin;
  const { chain, algorithm } = certificate;
  return runSigner({
    inputs: { input: input.path, ...(parent === null ? {} : { parent: parent.path }) },
    outputDir,
    request: (pathOf) => ({
      operation: "sign",
      input: { path: pathOf("in", "input"), contentType: input.contentType },
      outputPath: pathOf("out", "signed"),
      title,
      origin: {
        action,
        parent: parent && { path: pathOf("in", "parent"), contentType: parent.contentType },
      },
      ignoresParent,
      version: readVersion(),
      algorithm,
      chain,
      isTimeStamped: labels.tsaUrl !== null,
    }),
    answer: (ask, bytes) =>
      ask === "signature" ? signBytes(labels, certificate, bytes) : timeStamp(labels, bytes),
    signal,
  });
}
