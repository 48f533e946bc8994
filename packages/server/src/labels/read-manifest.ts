import type { Manifest } from "./manifest.ts";
import { type Outcome, runSigner, SignerEnded } from "./run-signer.ts";
import type { SigningContext } from "./sign-file.ts";
import { signingCertificate } from "./signing-certificate.ts";

export type ManifestResult =
  | { kind: "none" }
  /** Not a file of this type, or one that its parser does not survive. */
  | { kind: "unreadable"; reason: string }
  /** `isOurs`: signed below this deployment's certificates, for its organisation. */
  | { kind: "manifest"; manifest: Manifest; isOurs: boolean };

/**
 * Reads the C2PA manifest in a local file, which may be a stranger's, in a process for this file alone. A
 * manifest at a URL is not fetched. Takes a permit of `programs`.
 */
export async function readManifest(
  ctx: SigningContext,
  path: string,
  contentType: string,
  { owner = "", signal }: { owner?: string; signal?: AbortSignal } = {},
): Promise<ManifestResult> {
  const certificate = signingCertificate(ctx.config);
  const run = () =>
    runSigner({
      inputs: { input: path },
      request: (pathOf) => ({
        operation: "read",
        input: { path: pathOf("in", "input"), contentType },
        trustAnchors: certificate?.chain ?? "",
      }),
      signal,
    }).catch(faultOf);
  const outcome = await ctx.programs.use(signal === undefined ? { owner } : { owner, signal }, run);
  if ("fault" in outcome) return { kind: "unreadable", reason: outcome.fault };
  if (!("read" in outcome)) throw new Error("the signer signed what it was to read");
  const manifest = outcome.read;
  if (manifest === null) return { kind: "none" };
  const isOurs = manifest.state === "trusted" && manifest.signer === certificate?.organisation;
  return { kind: "manifest", manifest, isOurs };
}

function faultOf(error: unknown): Outcome {
  if (error instanceof SignerEnded) return { fault: error.message };
  throw error;
}
