import { writeFile } from "node:fs/promises";
import { monitoringFiles, pathOf } from "./monitoring-files.ts";

for (const [file, text] of monitoringFiles()) await writeFile(pathOf(file), text);
