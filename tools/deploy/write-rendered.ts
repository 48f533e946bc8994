import { overlayNames, writeRendered } from "./render.ts";

/** After a change of the manifests. Needs kubectl 1.27 or newer: node tools/deploy/write-rendered.ts */
for (const name of overlayNames) await writeRendered(name);
