import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { renderDocs } from "./render-docs.ts";

const folder = fileURLToPath(new URL("../../../../docs/", import.meta.url));
await mkdir(`${folder}generated`, { recursive: true });
for (const [name, content] of Object.entries(await renderDocs())) {
  await writeFile(folder + name, content);
  process.stdout.write(`docs/${name}\n`);
}
