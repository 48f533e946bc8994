import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { openRenderer } from "../media/files/render.ts";
import { remoteFiles } from "../media/marks/mark-files.ts";
import { startMarkVendor } from "../media/marks/mark-vendor.ts";
import { signingSettings } from "../media/marks/run-marks.ts";
import { tryMarks } from "../media/marks/try-marks.ts";
import type { PublicHost } from "./public-host.ts";
import { settingsFor } from "./settings-for.ts";

/** Where the files say that their manifest is. */
const manifestUrl = "http://127.0.0.1/latest/meta-data";
const filesUrl = "https://example.test";

/**
 * Files that name a manifest at an address of this machine, as the output of a vendor, as an asset, as the
 * source of an upscale and to be verified. Returns what is wrong with them; connections are the trap's.
 */
export async function tryRemoteManifests(scratchDir: string, host: PublicHost): Promise<string[]> {
  const dir = join(scratchDir, "remote-manifests");
  await mkdir(dir);
  const files = await remoteFiles(openRenderer(dir), manifestUrl);
  for (const [number, { body, contentType }] of files.entries())
    host.files.set(`/files/${number}`, { body, contentType });
  const signing = await signingSettings(join(dir, "certificates"));
  const { serverEnv, sandboxEnv } = settingsFor(host.caFile);
  await using vendor = await startMarkVendor(files, filesUrl);
  await using stack = await startStack({
    dir,
    serverEnv: {
      ...serverEnv,
      ...quickUpscale,
      ...vendor.env,
      ...signing.signed,
      TRUST_PROXY: "1",
      REVIEW_VIDEO: "",
    },
    sandboxEnv,
  });
  const account = { name: "manifests", credits: 1_000_000, openTasksMax: 2 * files.length };
  const { key } = await stack.openAccount(account);
  const wrong = await tryMarks({ stack, vendor, key }, files);
  print(`${files.length} files that name a manifest elsewhere: ${wrong.length} wrong`);
  return wrong;
}
