import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { overlayNames, writeRendered } from "./render.ts";

/** After a change of the manifests. Needs kubectl 1.27 or newer: node tools/deploy/write-rendered.ts */
const biome = fileURLToPath(new URL("../../node_modules/.bin/biome", import.meta.url));
const rendered = fileURLToPath(new URL("../../deploy/kubernetes/rendered", import.meta.url));
for (const name of overlayNames) await writeRendered(name);
execFileSync(biome, ["format", "--write", rendered]);
