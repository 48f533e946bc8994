import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { renderFile } from "@zoetrope/testkit/make-media.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const scenario = fileURLToPath(new URL("../scenario", import.meta.url));

export interface Folder {
  readonly dir: string;
  /** The nonce of the page's script that is not a file. */
  readonly nonce: string;
  /** The image to upload. */
  readonly imageBase64: string;
}

/** A folder in which every runtime finds the packed SDK by its own rules, the scenario, and a page for browsers. */
export async function prepareFolder(dir: string, sdkTarball: string): Promise<Folder> {
  const sdk = join(dir, "node_modules/@zoetrope/sdk");
  await mkdir(sdk, { recursive: true });
  await run("tar", ["-xzf", sdkTarball, "-C", sdk, "--strip-components=1"]);
  await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  await run(join(root, "node_modules/.bin/tsc"), ["-p", scenario, "--outDir", dir]);
  const nonce = randomBytes(16).toString("base64");
  await writeFile(join(dir, "index.html"), renderPage(await entryOf(sdk), nonce));
  const image = join(dir, "image.png");
  await renderFile(image, ["-f", "lavfi", "-i", "color=teal:s=640x640:d=1", "-frames:v", "1"]);
  return { dir, nonce, imageBase64: await readFile(image, "base64") };
}

async function entryOf(sdk: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(sdk, "package.json"), "utf8")) as {
    exports: { ".": { default: string } };
  };
  return manifest.exports["."].default;
}

function renderPage(entry: string, nonce: string): string {
  const imports = { "@zoetrope/sdk": `./node_modules/@zoetrope/sdk/${entry.slice("./".length)}` };
  return `<!doctype html>
<meta charset="utf-8">
<title>SDK</title>
<script type="importmap" nonce="${nonce}">${JSON.stringify({ imports })}</script>
<script type="module" src="./page.js"></script>
`;
}

/** Nothing but its own scripts, and nobody but its own origin and the one that must refuse it. */
export function pagePolicy(nonce: string, foreignUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${foreignUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
