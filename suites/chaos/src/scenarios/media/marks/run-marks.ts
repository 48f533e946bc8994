import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startStack } from "@zoetrope/dev/stack.ts";
import { loadSigner } from "@zoetrope/server/labels/load-signer.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { residentMb } from "@zoetrope/testkit/process-tree.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import type { Renderer } from "../files/render.ts";
import { makeMarkFiles } from "./mark-files.ts";
import { startMarkVendor } from "./mark-vendor.ts";
import { tryMarks } from "./try-marks.ts";

const serverEnv = {
  ...quickUpscale,
  LOG_LEVEL: "info",
  TRUST_PROXY: "1", // the strangers of the run have addresses
  REVIEW_IMAGE: "",
  REVIEW_VIDEO: "",
  POLL_FIRST_MS: "500",
  STEP_RETRY_MS_MAX: "4000",
};

/**
 * Hostile labels and manifests, in a deployment that signs its outputs, if the signer is installed, and in
 * one that does not. Returns the number of files and what is wrong.
 */
export async function runMarks(dir: string, renderer: Renderer, askedUrl: string) {
  const files = await makeMarkFiles(renderer, askedUrl);
  const signing = await signingSettings(join(dir, "certificates"));
  const wrong: string[] = [];
  for (const [name, env] of Object.entries({ unsigned: {}, ...signing })) {
    const own = join(dir, name);
    await mkdir(own);
    await using vendor = await startMarkVendor(files);
    await using stack = await startStack({
      dir: own,
      serverEnv: { ...serverEnv, ...vendor.env, ...env },
    });
    const { pid } = stack.worker;
    const account = { name: "marks", credits: 10_000_000, openTasksMax: 100 };
    const { key } = await stack.openAccount(account);
    const faults = await tryMarks({ stack, vendor, key }, files);
    const isAlive = await residentMb(pid).then(
      () => stack.worker.pid === pid,
      () => false,
    );
    if (!isAlive) faults.push("the worker is not the one that began");
    print(`${files.length} files with hostile marks, outputs ${name}: ${faults.length} wrong`);
    wrong.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  return { count: files.length, wrong };
}

/** The settings with which outputs are signed, if the signer is installed. */
export async function signingSettings(dir: string): Promise<{ signed?: Record<string, string> }> {
  const signer = await loadSigner().catch(() => null);
  if (signer === null) {
    print("the signer is not installed: outputs are not signed");
    return {};
  }
  const { certificateFile, keyFile } = await signer.makeCertificates({
    dir,
    organisation: "Example Studio",
    country: null,
    days: 9,
    issuerDir: null,
  });
  return { signed: { LABEL_CERTIFICATE_FILE: certificateFile, LABEL_KEY_FILE: keyFile } };
}
