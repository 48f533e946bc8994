import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MediaContext } from "../context.ts";
import { inWorkDir } from "../media/in-work-dir.ts";
import type { Config } from "../settings/config.ts";
import { ServiceUnavailable } from "./answer-signer.ts";
import { loadSigner } from "./load-signer.ts";
import { readManifest } from "./read-manifest.ts";
import { type SigningContext, signFile } from "./sign-file.ts";
import { checkCertificate } from "./signing-certificate.ts";

type TrialContext = SigningContext & Pick<MediaContext, "workDir">;

/** A PNG of one black pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NgYGAAAAAEAAEnNCcKAAAAAElFTkSuQmCC",
  "base64",
);

/** Fails at the start rather than with the first output: names what is missing or does not fit. */
export async function requireSigner(config: Config): Promise<void> {
  if (config.labels.certificate === null) return;
  await loadSigner().catch((cause: Error) => {
    throw new Error(`LABEL_CERTIFICATE is set. ${cause.message}`, { cause });
  });
  checkCertificate(config);
}

/**
 * Signs an image of one pixel and reads it back, if a certificate is set. A KMS or a time-stamp authority that is
 * down does not keep the process from starting: outputs wait for it, and other work does not.
 */
export async function trySigner(ctx: TrialContext): Promise<void> {
  if (ctx.config.labels.certificate === null) return;
  const warning = checkCertificate(ctx.config);
  if (warning !== null) ctx.log.warn({ event: "label.certificate.warning", reason: warning });
  try {
    await inWorkDir(ctx, "signer-", (dir) => signPixel(ctx, dir));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof ServiceUnavailable))
      throw new Error(`outputs cannot be signed: ${reason}`, { cause: error });
    ctx.log.error({ event: "label.service.unavailable", reason });
  }
}

async function signPixel(ctx: TrialContext, dir: string): Promise<void> {
  const [input, outputPath] = [join(dir, "pixel.png"), join(dir, "signed.png")];
  const contentType = "image/png";
  await writeFile(input, pixel);
  await signFile(ctx, {
    input: { path: input, contentType },
    outputPath,
    title: "pixel",
    origin: { action: "created", parent: null },
    owner: "",
  });
  const read = await readManifest(ctx, outputPath, contentType);
  if (read.kind === "manifest" && read.isOurs) return;
  const found = read.kind === "manifest" ? read.manifest.failures.join(", ") : read.kind;
  throw new Error(`readers refuse signatures with LABEL_CERTIFICATE: ${found}`);
}
